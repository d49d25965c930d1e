// SPDX-License-Identifier: GPL-2.0-or-later
/* Recipe expressions over made-up types. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "base/cpus.h"
#include "base/error.h"
#include "ctypes/btf.h"
#include "ctypes/recipe_parser.h"

/*
 *	struct inner { int a; u8 text[12]; };
 *	struct outer {
 *		s64 first;
 *		union { u32 x; struct inner in; };	// at 8
 *		struct outer *next;			// at 24
 *		u32 bits : 3;				// at 32
 *		const s16 *number;			// at 40
 *		enum { NONE, HIGH = 30, WIDE } kind;	// at 48
 *		const u8 *name;				// at 56
 *		struct inner *in_there;			// at 64
 *		u32 more : 7;				// at 72, after 30 others
 *		int less : 2;				// at 76
 *		u8 byte;				// at 40000
 *	};
 *	struct packet { u8 *head; u32 end; };
 *	struct skb_shared_info { u32 flags; struct inner in; };		// in a kernel with a cast
 *	void f(void *, const struct outer *o, s16 small, struct outer whole, struct packet *skb)
 *
 * and enum { LEAST = -1 }, enum { HUGE = 1 << 40, FEW = 3 }. The task that runs is a struct outer.
 */
static struct btf *btf;
static struct kt_btf_target tp;
static uint32_t shinfo;

static int make_types(void **state)
{
	int s32, u32, s64, u8, s16, text, inner, either, outer, kind, next, number, name, in_there,
		o, head, packet;

	(void)state;
	btf = btf__new_empty();
	s32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	u32 = btf__add_int(btf, "u32", 4, 0);
	s64 = btf__add_int(btf, "s64", 8, BTF_INT_SIGNED);
	u8 = btf__add_int(btf, "u8", 1, 0);
	s16 = btf__add_typedef(btf, "s16", btf__add_int(btf, "short", 2, BTF_INT_SIGNED));
	text = btf__add_array(btf, s32, u8, 12);
	kind = btf__add_enum(btf, NULL, 4);
	btf__add_enum_value(btf, "NONE", 0);
	btf__add_enum_value(btf, "HIGH", 30);
	btf__add_enum_value(btf, "WIDE", 31);
	btf__add_enum(btf, NULL, 4);
	btf__add_enum_value(btf, "LEAST", -1);
	btf__add_enum64(btf, NULL, 8, false);
	btf__add_enum64_value(btf, "HUGE", 1ull << 40);
	btf__add_enum64_value(btf, "FEW", 3);
	inner = btf__add_struct(btf, "inner", 16);
	btf__add_field(btf, "a", s32, 0, 0);
	btf__add_field(btf, "text", text, 32, 0);
	either = btf__add_union(btf, NULL, 16);
	btf__add_field(btf, "x", u32, 0, 0);
	btf__add_field(btf, "in", inner, 0, 0);
	number = btf__add_ptr(btf, btf__add_const(btf, s16));
	name = btf__add_ptr(btf, btf__add_const(btf, u8));
	in_there = btf__add_ptr(btf, inner);
	next = btf__type_cnt(btf);
	outer = btf__add_ptr(btf, next + 1) + 1;
	assert_int_equal(btf__add_struct(btf, "outer", 40008), outer);
	btf__add_field(btf, "first", s64, 0, 0);
	btf__add_field(btf, NULL, either, 64, 0);
	btf__add_field(btf, "next", next, 192, 0);
	btf__add_field(btf, "bits", u32, 256, 3);
	btf__add_field(btf, "number", number, 320, 0);
	btf__add_field(btf, "kind", kind, 384, 0);
	btf__add_field(btf, "name", name, 448, 0);
	btf__add_field(btf, "in_there", in_there, 512, 0);
	btf__add_field(btf, "more", u32, 576 + 30, 7);
	btf__add_field(btf, "less", s32, 608, 2);
	btf__add_field(btf, "byte", u8, 320000, 0);
	o = btf__add_ptr(btf, btf__add_const(btf, outer));
	head = btf__add_ptr(btf, u8);
	packet = btf__add_struct(btf, "packet", 16);
	btf__add_field(btf, "head", head, 0, 0);
	btf__add_field(btf, "end", u32, 64, 0);
	packet = btf__add_ptr(btf, packet);
	shinfo = btf__add_struct(btf, "skb_shared_info", 20);
	btf__add_field(btf, "flags", u32, 0, 0);
	btf__add_field(btf, "in", inner, 32, 0);
	tp = (struct kt_btf_target){.btf = btf, .globals = {next, s64, 0}};
	tp.proto = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, NULL, 0);
	btf__add_func_param(btf, "o", o);
	btf__add_func_param(btf, "small", s16);
	btf__add_func_param(btf, "whole", outer);
	btf__add_func_param(btf, "skb", packet);
	return 0;
}

static int free_types(void **state)
{
	(void)state;
	btf__free(btf);
	return 0;
}

/*
 * Writes a path as "0:24:8.1-3 s4": the argument, the offset from each pointer, the bits, sign
 * and size. A pointer that is the sum of two is "0:24+32:8".
 */
static size_t write_path(char *text, const struct kt_member_path *p)
{
	static const char *const of[] = {"current", "jiffies",  "entered", "late",
					 "regs",    "duration", "vmemmap"};
	size_t n = p->arg < KT_MEMBER_PATH_GLOBALS
			   ? sprintf(text, "%u", p->arg)
			   : sprintf(text, "%s", of[p->arg - KT_MEMBER_PATH_GLOBALS]);
	unsigned int i;

	for (i = 0; i < p->n; i++) {
		n += sprintf(text + n, ":%u", p->offsets[i]);
		if (i == 0 && p->as)
			n += sprintf(text + n, "+%u", p->plus);
	}
	if (p->bits)
		n += sprintf(text + n, ".%u-%u", p->bit, p->bit + p->bits - 1);
	return n + sprintf(text + n, " %c%u%s%s%s", p->is_signed ? 's' : 'u', p->size,
			   p->is_array ? "[]" : "", p->is_pointer ? "*" : "",
			   p->is_text ? " text" : "");
}

/* Writes an expression as "(1 s2 & 7)", fully parenthesized. */
static size_t write_expr(char *text, const struct kt_expr *e)
{
	static const char *const between[][2] = {
		[KT_EXPR_OR] = {" | "},         [KT_EXPR_AND] = {" & "},
		[KT_EXPR_EQUAL] = {" == "},     [KT_EXPR_CHOICE] = {" ? ", " : "},
		[KT_EXPR_LIST] = {", "},        [KT_EXPR_PLUS] = {" + "},
		[KT_EXPR_BYTES] = {", ", ", "}, [KT_EXPR_MORE] = {" > "},
		[KT_EXPR_SHIFT] = {" >> "},     [KT_EXPR_PADDED] = {", "},
		[KT_EXPR_UPTO] = {", "},        [KT_EXPR_UPTO_AT] = {", "},
	};
	static const char *const before[] = {
		[KT_EXPR_CAST] = "int",        [KT_EXPR_NTOHS] = "ntohs",
		[KT_EXPR_PROBE] = "probe",     [KT_EXPR_JOIN] = "join",
		[KT_EXPR_STRING] = "string",   [KT_EXPR_BYTES] = "bytes",
		[KT_EXPR_PADDED] = "padded",   [KT_EXPR_STRINGS] = "strings",
		[KT_EXPR_COUNT] = "count",     [KT_EXPR_UPTO] = "upto",
		[KT_EXPR_UPTO_AT] = "upto_at", [KT_EXPR_FILE] = "file",
		[KT_EXPR_START] = "start",     [KT_EXPR_BUFFERS] = "buffers",
	};
	size_t n = 0;
	int number = e->number, i;

	if (e->op == KT_EXPR_MINUS) {
		n = sprintf(text, "(");
		n += write_expr(text + n, e->of[0]);
		n += sprintf(text + n, " - ");
		n += write_expr(text + n, e->of[1]);
		return n + sprintf(text + n, " >> %d)", number);
	}
	if (e->op == KT_EXPR_NUMBER)
		return sprintf(text, "%d", number);
	if (e->op == KT_EXPR_MEMBER)
		return sprintf(text, "member(%d, %u)", number, e->path.size);
	if (e->op == KT_EXPR_TEXT)
		return sprintf(text, "\"%s\"", e->text);
	if (e->op == KT_EXPR_PATH)
		return write_path(text, &e->path);
	if (number > 1)
		n += sprintf(text, "%d ", number);
	n += sprintf(text + n, "%s(", before[e->op] ? before[e->op] : "");
	if (e->op == KT_EXPR_PROBE)
		n += write_path(text + n, &e->path);
	for (i = 0; i < 3 && e->of[i]; i++) {
		n += i ? sprintf(text + n, "%s", between[e->op][i - 1]) : 0;
		n += write_expr(text + n, e->of[i]);
	}
	return n + sprintf(text + n, ")");
}

static const char *parse_to_text(const char *text)
{
	static char parsed[512];
	struct kt_error err;
	struct kt_expr *e = kt_expr_parse(&tp, text, &err);

	if (!e)
		fail_msg("%s: %s", text, err.text);
	write_expr(parsed, e);
	kt_expr_free(e);
	return parsed;
}

static void paths(void **state)
{
	(void)state;
	assert_string_equal(parse_to_text("o"), "0 u8*");
	assert_string_equal(parse_to_text("small"), "1 s2");
	assert_string_equal(parse_to_text("o->first"), "0:0 s8");
	assert_string_equal(parse_to_text("o->x"), "0:8 u4");
	assert_string_equal(parse_to_text("o->in.a"), "0:8 s4");
	assert_string_equal(parse_to_text("o->in.text"), "0:12 u12[] text");
	assert_string_equal(parse_to_text("o->name"), "0:56 u8* text");
	assert_string_equal(parse_to_text("o->next"), "0:24 u8*");
	assert_string_equal(parse_to_text("o->number"), "0:40 u8*");
	assert_string_equal(parse_to_text("o->kind"), "0:48 u4");
	assert_string_equal(parse_to_text("o->next->next->in.a"), "0:24:24:8 s4");
	assert_string_equal(parse_to_text("o->next->next->next->x"), "0:24:24:24:8 u4");
	assert_string_equal(parse_to_text("current"), "current u8*");
	assert_string_equal(parse_to_text("current->in.a"), "current:8 s4");
	assert_string_equal(parse_to_text("jiffies"), "jiffies s8");
}

#define NOT_A_NUMBER "not a number"

/* Asserts the marked part of the text and the error. */
static void assert_refused(const char *text, int code, const char *part, const char *why)
{
	struct kt_error err;

	assert_null(kt_expr_parse(&tp, text, &err));
	assert_int_equal(err.code, code);
	assert_string_equal(err.text, why);
	assert_ptr_equal(err.typed, text);
	assert_int_equal(err.len, strlen(part));
	assert_memory_equal(text + err.at, part, err.len);
}

static const char unlike[] = "these are not two pointers to one type";

/* struct inner has 16 bytes. */
static void differences(void **state)
{
	(void)state;
	tp.globals[KT_BTF_VMEMMAP] = tp.globals[KT_BTF_CURRENT];
	assert_string_equal(parse_to_text("o->in_there - o->next->in_there"),
			    "(0:64 u8* - 0:24:64 u8* >> 4)");
	assert_string_equal(parse_to_text("small & 1 ? o->in_there-o->in_there : -1"),
			    "((1 s2 & 1) ? (0:64 u8* - 0:64 u8* >> 4) : -1)");
	assert_string_equal(parse_to_text("vmemmap"), "vmemmap u8*");
	assert_refused("o - current", EOPNOTSUPP, "o - current",
		       "the type's size is no power of two");
	assert_refused("o - vmemmap", EOPNOTSUPP, "o - vmemmap",
		       "the type's size is no power of two");
	tp.globals[KT_BTF_VMEMMAP] = 0;
	assert_refused("o - vmemmap", ENOENT, "vmemmap", "there is no such argument");
	assert_refused("o-x", ENOENT, "x", "there is no such argument");
	assert_refused("1 - 1", EINVAL, "1 - 1", unlike);
	assert_refused("1 | o - 1 | 2", EINVAL, "o - 1", unlike);
	assert_refused("o->in_there - o", EINVAL, "o->in_there - o", unlike);
	assert_string_equal(parse_to_text("o->name - o->name"),
			    "(0:56 u8* text - 0:56 u8* text >> 0)");
	assert_string_equal(parse_to_text("o->name - skb->head"),
			    "(0:56 u8* text - 3:0 u8* text >> 0)");
	assert_refused("o->name - o->number", EINVAL, "o->name - o->number", unlike);
	assert_refused("o - (o - o)", EOPNOTSUPP, "o - o", "the type's size is no power of two");
	assert_refused("o->in_there - (o->in_there - o->in_there)", EINVAL,
		       "o->in_there - (o->in_there - o->in_there)", unlike);
	assert_refused("small - o", EINVAL, "small - o", unlike);
}

/* Values that the kernel's types know. */
static void known_values(void **state)
{
	struct kt_error err;
	char cpus[16];

	(void)state;
	assert_string_equal(parse_to_text("has(o)"), "1");
	assert_string_equal(parse_to_text("has( o->in.a )"), "1");
	assert_string_equal(parse_to_text("has(current->next->next)"), "1");
	assert_string_equal(parse_to_text("has(p)"), "0");
	assert_string_equal(parse_to_text("has(o->in.b->c.d)"), "0");
	assert_string_equal(parse_to_text("has(o->x) | has(o->y)"), "(1 | 0)");
	assert_string_equal(parse_to_text("bit(NONE)"), "1");
	assert_string_equal(parse_to_text("bit( HIGH )"), "1073741824");
	assert_string_equal(parse_to_text("bit(FEW)"), "8");
	assert_string_equal(parse_to_text("enum(HIGH)"), "30");
	assert_string_equal(parse_to_text("small & enum( WIDE )"), "(1 s2 & 31)");
	assert_string_equal(parse_to_text("has(enum(NONE))"), "1");
	assert_string_equal(parse_to_text("has(enum( LEAST ))"), "1");
	assert_string_equal(parse_to_text("has(enum(NON))"), "0");
	assert_string_equal(parse_to_text("has(enum(NON)) ? \"a\" : \"b\""), "\"b\"");
	snprintf(cpus, sizeof(cpus), "%d", kt_cpus_max(&err));
	assert_string_equal(parse_to_text("NR_CPUS"), cpus);
	assert_string_equal(parse_to_text("small & bit(FEW)"), "(1 s2 & 8)");
	assert_string_equal(parse_to_text("has(o->x) ? small : -1"), "1 s2");
	assert_string_equal(parse_to_text("has(o->y) ? small : -1"), "-1");
	assert_string_equal(parse_to_text("has(o->x) ? small ? 1 : 2 : 3"), "(1 s2 ? 1 : 2)");
	assert_string_equal(parse_to_text("0 ? \"a\" : 1, 2"), "(1, 2)");
}

static void operators(void **state)
{
	(void)state;
	assert_string_equal(parse_to_text("small & 7"), "(1 s2 & 7)");
	assert_string_equal(parse_to_text(" small|0x10|2 "), "((1 s2 | 16) | 2)");
	assert_string_equal(parse_to_text("o->x >> 9"), "(0:8 u4 >> 9)");
	assert_string_equal(parse_to_text("small + 1 >> 2 > 3 >> 4 ? 1 : 2"),
			    "((((1 s2 + 1) >> 2) > (3 >> 4)) ? 1 : 2)");
	assert_string_equal(parse_to_text("small | 1 & 2"), "(1 s2 | (1 & 2))");
	assert_string_equal(parse_to_text("(small | 1) & 2"), "((1 s2 | 1) & 2)");
	assert_string_equal(parse_to_text("(int)o->first & 1"), "(int(0:0 s8) & 1)");
	assert_string_equal(parse_to_text("small ? 1 : 2"), "(1 s2 ? 1 : 2)");
	assert_string_equal(parse_to_text("small == 3 ? 1 : small & 4 ? 2 : 3"),
			    "((1 s2 == 3) ? 1 : ((1 s2 & 4) ? 2 : 3))");
	assert_string_equal(parse_to_text("small ? o->x, 1 : 2, 3"),
			    "(1 s2 ? (0:8 u4, 1) : (2, 3))");
	assert_string_equal(parse_to_text("1, 2, o->in.text"), "(1, (2, 0:12 u12[] text))");
	assert_string_equal(parse_to_text("small ? \"a,' : \" : \"\""),
			    "(1 s2 ? \"a,' : \" : \"\")");
	assert_string_equal(parse_to_text("(1|(2|(3|(4|small))))"), "(1 | (2 | (3 | (4 | 1 s2))))");
	assert_string_equal(parse_to_text("small + 1 + o->x"), "((1 s2 + 1) + 0:8 u4)");
	assert_string_equal(parse_to_text("o->name - o->name + small"),
			    "((0:56 u8* text - 0:56 u8* text >> 0) + 1 s2)");
	assert_string_equal(parse_to_text("small + o->name - o->name"),
			    "(1 s2 + (0:56 u8* text - 0:56 u8* text >> 0))");
	assert_string_equal(parse_to_text("small + 1 > o->x ? 1 : 2"),
			    "(((1 s2 + 1) > 0:8 u4) ? 1 : 2)");
	assert_string_equal(parse_to_text("ntohs(small)"), "ntohs(1 s2)");
	assert_string_equal(parse_to_text("1 | ntohs( small & 7 )"), "(1 | ntohs((1 s2 & 7)))");
	assert_string_equal(parse_to_text("string(small + 8)"), "string((1 s2 + 8))");
	assert_string_equal(parse_to_text("strings(small + 8)"), "strings((1 s2 + 8))");
	assert_string_equal(parse_to_text("buffers(small)"), "buffers(1 s2)");
	assert_string_equal(parse_to_text("count( small )"), "count(1 s2)");
	assert_string_equal(parse_to_text("member(48, 8) + (int)member( 4,4 )"),
			    "(member(48, 8) + int(member(4, 4)))");
	assert_string_equal(parse_to_text("bytes(small, 8)"), "bytes(1 s2, 8)");
	assert_string_equal(parse_to_text("bytes( small , o->x , (int)small )"),
			    "bytes(1 s2, 0:8 u4, int(1 s2))");
	assert_string_equal(parse_to_text("array(12, small, 8)"), "12 bytes(1 s2, 8)");
	assert_string_equal(parse_to_text("array( 12 , small,o->x, 3)"),
			    "12 bytes(1 s2, 0:8 u4, 3)");
	assert_string_equal(parse_to_text("small ? padded(24, small, o->x) : bytes(small, 0)"),
			    "(1 s2 ? 24 padded(1 s2, 0:8 u4) : bytes(1 s2, 0))");
	assert_string_equal(parse_to_text("upto(128, small, (int)small)"),
			    "128 upto(1 s2, int(1 s2))");
	assert_string_equal(parse_to_text("upto_at( 128 ,small, small + 8)"),
			    "128 upto_at(1 s2, (1 s2 + 8))");
	assert_string_equal(parse_to_text("file((int)small)"), "file(int(1 s2))");
	assert_string_equal(parse_to_text("small == 1 ? start( small ) : file(small)"),
			    "((1 s2 == 1) ? start(1 s2) : file(1 s2))");
}

/* As in C, with the fewest bytes that can be loaded. */
static void bit_fields(void **state)
{
	(void)state;
	assert_string_equal(parse_to_text("o->bits"), "0:32.0-2 u1");
	assert_string_equal(parse_to_text("o->more | 1"), "(0:72.30-36 u8 | 1)");
	assert_string_equal(parse_to_text("o->less"), "0:76.0-1 s1");
	assert_refused("o->bits.x", EINVAL, ".", "not a structure before this");
}

/* A system call's argument becomes a global, if the kernel lets programs cast it. */
static void registers(void **state)
{
	const struct kt_btf_target usual = tp;
	uint32_t pointer = btf_params(btf__type_by_id(btf, tp.proto))[1].type;

	(void)state;
	tp.proto = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, NULL, 0);
	btf__add_func_param(btf, "regs", pointer);
	assert_false(kt_btf_tracepoint_cast_regs(&tp));
	tp.cast = 1000;
	assert_true(kt_btf_tracepoint_cast_regs(&tp));
	assert_string_equal(parse_to_text("regs->next->first"), "regs:24:0 s8");
	tp = usual;
}

/* Data after a packet's buffer, if the kernel lets programs reach it. */
static void packets(void **state)
{
	static const char no_cast[] = "the kernel has no bpf_rdonly_cast() to get there";

	(void)state;
	assert_refused("skb_shinfo(skb)->flags", EOPNOTSUPP, "skb", no_cast);
	tp.shinfo = shinfo;
	assert_refused("skb_shinfo(skb)->flags", EOPNOTSUPP, "skb", no_cast);
	tp.cast = 1000;
	assert_string_equal(parse_to_text("skb_shinfo(skb)->flags"), "3:0+8:0 u4");
	assert_string_equal(parse_to_text("skb_shinfo(skb)->in.a"), "3:0+8:4 s4");
	assert_string_equal(parse_to_text("small ? skb_shinfo(skb)->in.text : 0"),
			    "(1 s2 ? 3:0+8:8 u12[] text : 0)");
	assert_string_equal(parse_to_text("has(skb_shinfo(skb)->flags)"), "1");
	assert_string_equal(parse_to_text("has(skb_shinfo(skb)->flag)"), "0");
	assert_refused("skb_shinfo(o)->flags", EINVAL, "o", "not a packet");
	assert_refused("skb_shinfo(small)->flags", EINVAL, "small", "not a packet");
	assert_refused("skb_shinfo(p)->flags", ENOENT, "p", "there is no such argument");
	assert_refused("skb_shinfo(skb->flags", EINVAL, "-", "expected ')' here");
	assert_refused("skb_shinfo(skb)", EINVAL, "", "expected '->' here");
	assert_refused("skb_shinfo(skb)->x", ENOENT, "x", "the structure has no such member");
	assert_refused("skb_shinfo", ENOENT, "skb_shinfo", "there is no such argument");
	assert_refused("1 | skb_shinfo(skb)->flags", EINVAL, "skb_shinfo(skb)->flags",
		       NOT_A_NUMBER);
	tp.shinfo = tp.cast = 0;
}

/* Several letters in a row. */
static void letters(void **state)
{
	static const char much[] = "too many letters";

	(void)state;
	assert_string_equal(parse_to_text("join(\"a\")"), "join(\"a\")");
	assert_string_equal(parse_to_text("join( small & 1 ? \"a\" : \"bc\", \"d\", \"e\" )"),
			    "join((((1 s2 & 1) ? \"a\" : \"bc\"), (\"d\", \"e\")))");
	assert_string_equal(parse_to_text("small ? join(\"\") : join(\"abcdefgh\")"),
			    "(1 s2 ? join(\"\") : join(\"abcdefgh\"))");
	assert_string_equal(parse_to_text("join(has(o->x) ? \"a\" : \"abcdefghi\")"),
			    "join(\"a\")");
	assert_string_equal(parse_to_text("join(o->x | (small | small) ? \"a\" : \"b\")"),
			    "join(((0:8 u4 | (1 s2 | 1 s2)) ? \"a\" : \"b\"))");
	assert_refused("join(\"abcdefghi\")", EINVAL, "\"abcdefghi\"", much);
	assert_refused("join(\"abcd\", small ? \"\" : \"efghi\")", EINVAL,
		       "\"abcd\", small ? \"\" : \"efghi\"", much);
	assert_refused("join(small)", EINVAL, "small", much);
	assert_refused("join(small ? \"a\" : o->name)", EINVAL, "small ? \"a\" : o->name", much);
	assert_refused("join(join(\"a\"))", EINVAL, "join(\"a\")", much);
	assert_refused("join(o->x | (o->x | (small | small)) ? \"a\" : \"b\")", EINVAL,
		       "o->x | (o->x | (small | small)) ? \"a\" : \"b\"", much);
	assert_refused("join(\"a\"", EINVAL, "", "expected ',' or ')' here");
	assert_refused("join()", EINVAL, ")", "a name is missing here");
	assert_refused("1 + join(\"a\")", EINVAL, "join(\"a\")", NOT_A_NUMBER);
	assert_refused("join(\"a\") ? 1 : 2", EINVAL, "join(\"a\")", NOT_A_NUMBER);
}

static void probes(void **state)
{
	(void)state;
	assert_string_equal(parse_to_text("probe(o->x)"), "probe(0:8 u4)");
	assert_string_equal(parse_to_text("probe( o->next->in.a )"), "probe(0:24:8 s4)");
	assert_string_equal(parse_to_text("probe(*o->number)"), "probe(0:40:0 s2)");
	assert_string_equal(parse_to_text("probe(*o->name)"), "probe(0:56:0 u1)");
	assert_string_equal(parse_to_text("o ? probe(o->x), 1 : 0, 2"),
			    "(0 u8* ? (probe(0:8 u4), 1) : (0, 2))");
	assert_string_equal(parse_to_text("probe(o->x) > -1 ? 1 : probe(o->x) == 7 ? 2 : 3"),
			    "((probe(0:8 u4) > -1) ? 1 : ((probe(0:8 u4) == 7) ? 2 : 3))");
	assert_string_equal(parse_to_text("probe(o->number[0])"), "probe(0:40:0 s2)");
	assert_string_equal(parse_to_text("probe(o->number[0x10])"), "probe(0:40:32 s2)");
	assert_string_equal(parse_to_text("has(*o->number)"), "1");
	assert_string_equal(parse_to_text("has(*o->text)"), "0");
}

static void errors(void **state)
{
	(void)state;
	assert_refused("", EINVAL, "", "a name is missing here");
	assert_refused("->x", EINVAL, "-", "a name is missing here");
	assert_refused("o->", EINVAL, "", "a name is missing here");
	assert_refused("o->in.*", EINVAL, "*", "a name is missing here");
	assert_refused("o x", EINVAL, "x", "expected an operator here");
	assert_refused("(small x", EINVAL, "x", "expected an operator or ')' here");
	assert_refused("small ? 1", EINVAL, "", "expected an operator or ':' here");
	assert_refused("small ? 1, 2 x", EINVAL, "x", "expected an operator or ':' here");
	assert_refused("small ? 1 : ", EINVAL, "", "a name is missing here");
	assert_refused("small & ", EINVAL, "", "a name is missing here");
	assert_refused("small ? \"x : 1", EINVAL, "\"x : 1", "missing \" at the end");
	assert_refused("\"x\" & 1", EINVAL, "\"x\"", NOT_A_NUMBER);
	assert_refused("\"x\" ? 1 : 2", EINVAL, "\"x\"", NOT_A_NUMBER);
	assert_refused("1,", EINVAL, "", "a name is missing here");
	assert_refused("1 && 2", EINVAL, "&", "a name is missing here");
	assert_refused("2147483648", ERANGE, "2147483648", "more than 32 bits");
	assert_refused("-2147483649", ERANGE, "-2147483649", "more than 32 bits");
	assert_refused("1|99999999999999999999", ERANGE, "99999999999999999999",
		       "more than 32 bits");
	assert_refused("has(o", EINVAL, "", "expected ')' here");
	assert_refused("has(o->y", EINVAL, "", "expected ')' here");
	assert_refused("has(o x)", EINVAL, "x", "expected ')' here");
	assert_refused("has(o.x)", EINVAL, ".", "not a structure before this");
	assert_refused("has()", EINVAL, ")", "a name is missing here");
	assert_refused("has(o->y) ? o->y : 1", ENOENT, "y", "the structure has no such member");
	assert_refused("bit(NON)", ENOENT, "NON", "the kernel has no such enumerator");
	assert_refused("bit(NONEX)", ENOENT, "NONEX", "the kernel has no such enumerator");
	assert_refused("bit()", ENOENT, "", "the kernel has no such enumerator");
	assert_refused("bit(NONE", EINVAL, "", "expected ')' here");
	assert_refused("bit(WIDE)", ERANGE, "WIDE", "not a number from 0 to 30");
	assert_refused("bit(LEAST)", ERANGE, "LEAST", "not a number from 0 to 30");
	assert_refused("enum(NON)", ENOENT, "NON", "the kernel has no such enumerator");
	assert_refused("enum(LEAST)", ERANGE, "LEAST", "not a number from 0 to 2147483647");
	assert_refused("enum(HUGE)", ERANGE, "HUGE", "not a number from 0 to 2147483647");
	assert_refused("enum(NONE", EINVAL, "", "expected ')' here");
	assert_refused("has(enum(NONE)", EINVAL, "", "expected ')' here");
	assert_refused("has(enum(NONE", EINVAL, "", "expected ')' here");
	assert_refused("bit(HUGE)", ERANGE, "HUGE", "not a number from 0 to 30");
	assert_refused("1 ? 2", EINVAL, "", "expected an operator or ':' here");
	assert_refused("small == 1", EINVAL, "small == 1", NOT_A_NUMBER);
	assert_refused("2, small == 1", EINVAL, "small == 1", NOT_A_NUMBER);
	assert_refused("small > 1", EINVAL, "small > 1", NOT_A_NUMBER);
	assert_refused("small > 1 == 1 ? 1 : 2", EINVAL, "small > 1", NOT_A_NUMBER);
	assert_refused("1 & small == 1 ? 1 : 2", EINVAL, "small == 1", NOT_A_NUMBER);
	assert_refused("(small == 1) | 1", EINVAL, "(small == 1)", NOT_A_NUMBER);
	assert_refused("1 | o->in.text", EINVAL, "o->in.text", NOT_A_NUMBER);
	assert_refused("(int)o->in.text", EINVAL, "o->in.text", NOT_A_NUMBER);
	assert_refused("o->in.text ? 1 : 2", EINVAL, "o->in.text", NOT_A_NUMBER);
	assert_refused("(small|(small|(small|(small|(small|small)))))", ERANGE,
		       "small|(small|(small|(small|(small|small))))", "too many values at once");
	assert_refused("probe(o", EINVAL, "o", "not a pointer");
	assert_refused("probe(small)", EINVAL, "small", "not a pointer");
	assert_refused("probe(o->x", EINVAL, "", "expected ')' here");
	assert_refused("probe(o->x | 1)", EINVAL, "|", "expected ')' here");
	assert_refused("probe(7)", ENOENT, "7", "there is no such argument");
	assert_refused("probe(o->in.text)", EINVAL, "o->in.text", NOT_A_NUMBER);
	assert_refused("probe(o->x) | 1", EINVAL, "probe(o->x)", NOT_A_NUMBER);
	assert_refused("7 == probe(o->x) ? 1 : 2", EINVAL, "probe(o->x)", NOT_A_NUMBER);
	assert_refused("(int)probe(o->x)", EINVAL, "probe(o->x)", NOT_A_NUMBER);
	assert_refused("probe(o->x) ? 1 : 2", EINVAL, "probe(o->x)", NOT_A_NUMBER);
	assert_refused("ntohs(probe(o->x))", EINVAL, "probe(o->x)", NOT_A_NUMBER);
	assert_refused("ntohs(o->in.text)", EINVAL, "o->in.text", NOT_A_NUMBER);
	assert_refused("string(small) | 1", EINVAL, "string(small)", NOT_A_NUMBER);
	assert_refused("string(o->in.text)", EINVAL, "o->in.text", NOT_A_NUMBER);
	assert_refused("strings(small) | 1", EINVAL, "strings(small)", NOT_A_NUMBER);
	assert_refused("strings(small, 1)", EINVAL, ",", "expected an operator or ')' here");
	assert_refused("buffers(small) + 1", EINVAL, "buffers(small)", NOT_A_NUMBER);
	assert_refused("member(small, 8)", EINVAL, "s", "expected a place here");
	assert_refused("member(-8, 8)", EINVAL, "-8", "there is no such size or place");
	assert_refused("member(56, 8)", EINVAL, "56", "there is no such size or place");
	assert_refused("member(8)", EINVAL, ")", "expected ',' here");
	assert_refused("member(8, 2)", EINVAL, "2", "there is no such size or place");
	assert_refused("member(8, 5)", EINVAL, ", 5", "there is no such member");
	assert_refused("member(4, 8)", EINVAL, ", 8", "there is no such member");
	assert_refused("member(8, 8, 8)", EINVAL, ",", "expected ')' here");
	assert_refused("count(o->in.text)", EINVAL, "o->in.text", NOT_A_NUMBER);
	assert_refused("1 + count(small)", EINVAL, "count(small)", NOT_A_NUMBER);
	assert_refused("bytes(small, 8) | 1", EINVAL, "bytes(small, 8)", NOT_A_NUMBER);
	assert_refused("bytes(small)", EINVAL, "small)", "missing count");
	assert_refused("bytes(small, 1, 2, 3)", EINVAL, ",", "expected ')' here");
	assert_refused("bytes(small, 1 2)", EINVAL, "2", "expected ',' or ')' here");
	assert_refused("bytes(small, \"a\")", EINVAL, "\"a\"", NOT_A_NUMBER);
	assert_refused("array(small, 1, 2)", EINVAL, "s", "expected a size here");
	assert_refused("array(0, small, 2)", EINVAL, "0", "there is no such size or place");
	assert_refused("array(-8, small, 2)", EINVAL, "-8", "there is no such size or place");
	assert_refused("array(8 small, 2)", EINVAL, "s", "expected ',' here");
	assert_refused("array(8, small)", EINVAL, "small)", "missing count");
	assert_refused("array(8, small, 1, 2, 3)", EINVAL, ",", "expected ')' here");
	assert_refused("padded(8, small)", EINVAL, "small)", "missing count");
	assert_refused("padded(8, small, 1, 2)", EINVAL, ",", "expected ')' here");
	assert_refused("padded(8, small, 1) | 1", EINVAL, "padded(8, small, 1)", NOT_A_NUMBER);
	assert_refused("upto_at(8, small)", EINVAL, "small)", "missing count");
	assert_refused("upto_at(0, small, 1)", EINVAL, "0", "there is no such size or place");
	assert_refused("upto(8, small, 1, 2)", EINVAL, ",", "expected ')' here");
	assert_refused("upto(8, small, 1) | 1", EINVAL, "upto(8, small, 1)", NOT_A_NUMBER);
	assert_refused("ntohs(small", EINVAL, "", "expected an operator or ')' here");
	assert_refused("ntohs(1, 2)", EINVAL, ",", "expected an operator or ')' here");
	assert_refused("*o->number", EINVAL, "*o->number", "only probe() may follow this pointer");
	assert_refused("probe(*small)", EINVAL, "*small", "there is no pointer to follow");
	assert_refused("probe(*o)", EOPNOTSUPP, "*o", "not a number, pointer or array");
	assert_refused("probe(**o->number)", EINVAL, "*", "a name is missing here");
	assert_refused("p->x", ENOENT, "p", "there is no such argument");
	assert_refused("ox->x", ENOENT, "ox", "there is no such argument");
	assert_refused("o->nex", ENOENT, "nex", "the structure has no such member");
	assert_refused("o->in.x", ENOENT, "x", "the structure has no such member");
	assert_refused("o.x", EINVAL, ".", "not a structure before this");
	assert_refused("whole.x", EINVAL, ".", "not a structure before this");
	assert_refused("o->x.a", EINVAL, ".", "not a structure before this");
	assert_refused("o->number->x", EINVAL, "->", "not a structure before this");
	assert_refused("small->x", EINVAL, "->", "there is no pointer to follow");
	assert_refused("o->in->a", EINVAL, "->", "there is no pointer to follow");
	assert_refused("o->byte", ERANGE, "byte", "the offset is above 32767 bytes");
	assert_refused("o->in", EOPNOTSUPP, "o->in", "not a number, pointer or array");
	assert_refused("whole", EOPNOTSUPP, "whole", "not a number, pointer or array");
	assert_refused("o->next->next->next->next->next->next->x", ERANGE, "->",
		       "too many pointers to follow");
	assert_refused("o->number[1]", EINVAL, "o->number[1]",
		       "only probe() may follow this pointer");
	assert_refused("probe(o->number[])", EINVAL, "]", "a number is missing here");
	assert_refused("probe(o->number[-1])", EINVAL, "-", "a number is missing here");
	assert_refused("probe(o->number[1)", EINVAL, ")", "expected ']' here");
	assert_refused("probe(small[1])", EINVAL, "[", "there is no pointer to follow");
	assert_refused("probe(o->number[16384])", ERANGE, "[16384",
		       "the offset is above 32767 bytes");
	assert_refused("probe(o->number[99999999999999999999])", ERANGE, "[99999999999999999999",
		       "the offset is above 32767 bytes");
	memset(tp.globals, 0, sizeof(tp.globals));
	assert_refused("jiffies", ENOENT, "jiffies", "there is no such argument");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths),     cmocka_unit_test(known_values),
		cmocka_unit_test(operators), cmocka_unit_test(letters),
		cmocka_unit_test(probes),    cmocka_unit_test(bit_fields),
		cmocka_unit_test(packets),   cmocka_unit_test(differences),
		cmocka_unit_test(registers), cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests_name("recipe_parser", tests, make_types, free_types);
}
