// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/ask/symbol_lookup.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "constants/symbols.h"
#include "hook/map.h"
#include "hook/program.h"

/* What the program reads and writes. */
struct asked {
	uint64_t address;
	int64_t length; /* with the NUL; more than the text: it is cut */
	char text[1024];
};

struct kt_symbol_lookup {
	int program;
	struct kt_map asked;
};

static const char format[8] = "%pS";

/* The helper takes a format only from memory that nobody can change. */
static int make_format(struct kt_error *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_RDONLY_PROG);
	uint32_t first = 0;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "kt_format", sizeof(first), sizeof(format), 1,
				&opts);

	if (fd >= 0 && bpf_map_update_elem(fd, &first, format, BPF_ANY) == 0 &&
	    bpf_map_freeze(fd) == 0)
		return fd;
	kt_fail(err, errno, "cannot make a BPF map: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -err->code;
}

static void emit_program(struct kt_asm *a, int asked, int format_map)
{
	enum { ASKED = BPF_REG_6, STACK = -8 };

	kt_asm_move_value(a, ASKED, asked);
	kt_asm_load(a, BPF_DW, BPF_REG_1, ASKED, offsetof(struct asked, address));
	kt_asm_store(a, BPF_DW, BPF_REG_10, STACK, BPF_REG_1);
	kt_asm_move(a, BPF_REG_1, ASKED);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, offsetof(struct asked, text));
	kt_asm_move_imm(a, BPF_REG_2, sizeof(((struct asked *)0)->text));
	kt_asm_move_value(a, BPF_REG_3, format_map);
	kt_asm_move(a, BPF_REG_4, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_4, STACK);
	kt_asm_move_imm(a, BPF_REG_5, sizeof(uint64_t));
	kt_asm_call(a, BPF_FUNC_snprintf);
	kt_asm_store(a, BPF_DW, ASKED, offsetof(struct asked, length), BPF_REG_0);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}

static int load_program(const struct kt_map *asked, struct kt_error *err)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	int format_map = make_format(err), program;
	struct kt_asm *a = format_map < 0 ? NULL : kt_asm_new();

	if (!a) {
		if (format_map >= 0)
			close(format_map);
		return format_map < 0 ? format_map : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	}
	emit_program(a, asked->fd, format_map);
	program = kt_program_load(kind, "kernel:symbols", a, err);
	kt_asm_free(a);
	close(format_map);
	return program;
}

const char *kt_symbol_lookup_parse(char *text, uint64_t address, uint64_t *first, uint64_t *last)
{
	char *module = strstr(text, " ["), *size, *offset, *end;
	uint64_t from, bytes;

	if (module)
		*module = '\0';
	size = strrchr(text, '/');
	if (!size)
		return NULL;
	*size++ = '\0';
	offset = strrchr(text, '+');
	if (!offset || offset == text)
		return NULL;
	*offset++ = '\0';
	from = strtoull(offset, &end, 16);
	if (end == offset || *end)
		return NULL;
	bytes = strtoull(size, &end, 16);
	if (*end || from >= bytes || from > address)
		return NULL;
	*first = address - from;
	*last = *first + (bytes - 1);
	if (*last < *first)
		return NULL;
	if (module) {
		*module = ' ';
		memmove(offset - 1, module, strlen(module) + 1);
	}
	return text;
}

/* Adds the symbol of an address, unless the last one contains it. */
static int add_symbol(const struct kt_symbol_lookup *l, uint64_t address,
		      struct kt_symbols *symbols, struct kt_error *err)
{
	struct asked *asked = l->asked.memory;
	uint64_t first, last, end = symbols->n ? symbols->of[symbols->n - 1].last : 0;
	uint32_t returned;
	const char *name;
	int ret;

	if (address <= end)
		return 0;
	asked->address = address;
	if (kt_program_run(l->program, &returned, err) < 0)
		return -err->code;
	if (asked->length <= 0 || asked->length > (int64_t)sizeof(asked->text))
		return 0;
	name = kt_symbol_lookup_parse(asked->text, address, &first, &last);
	if (!name || (end && first <= end))
		return 0;
	ret = kt_symbols_add(symbols, first, last, name);
	return ret == -ENOMEM ? kt_fail(err, ENOMEM, "%s", strerror(ENOMEM)) : 0;
}

struct kt_symbol_lookup *kt_symbol_lookup_new(struct kt_error *err)
{
	struct kt_symbol_lookup *l = calloc(1, sizeof(*l));

	if (!l) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (kt_map_make(&l->asked, "kt_symbols", sizeof(struct asked), 1, err) < 0) {
		free(l);
		return NULL;
	}
	l->program = load_program(&l->asked, err);
	if (l->program >= 0)
		return l;
	kt_map_free(&l->asked);
	free(l);
	return NULL;
}

void kt_symbol_lookup_free(struct kt_symbol_lookup *l)
{
	if (!l)
		return;
	close(l->program);
	kt_map_free(&l->asked);
	free(l);
}

int kt_symbol_lookup_find(const struct kt_symbol_lookup *l, const uint64_t *addresses, size_t n,
			  struct kt_symbols *symbols, struct kt_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++)
		ret = add_symbol(l, addresses[i], symbols, err);
	if (ret < 0)
		kt_symbols_clear(symbols);
	return ret;
}
