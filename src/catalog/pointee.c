// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/pointee.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "catalog/event.h"

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

/* Whether the next argument says how many bytes there are: then they are no text with a 0. */
static bool has_length(const struct kt_event *call, size_t argument)
{
	static const char *const lengths[] = {"bufsiz", "count", "len",  "msg_len",
					      "optlen", "plen",  "size", NULL};
	static const char *const types[] = {"int", "size_t", "unsigned long", NULL};
	const struct kt_field *next = &call->fields[argument + 1];

	return argument + 1 < call->n_fields && is_one_of(next->type, types) &&
	       is_one_of(next->name, lengths);
}

static struct kt_pointee given(enum kt_pointee_kind kind)
{
	return (struct kt_pointee){.kind = kind, .at = {[KT_ENTER] = true}};
}

static struct kt_pointee taken(enum kt_pointee_kind kind)
{
	return (struct kt_pointee){.kind = kind, .at = {[KT_EXIT] = true}};
}

/*
 * What a call is given is const, but for some old calls. What it writes is not; and no text stands
 * at a bare address, as that of shmat.
 */
static struct kt_pointee find_chars(const struct kt_event *call, size_t argument)
{
	static const char *const chars[] = {"char *", "const char *", NULL};
	static const char *const others[] = {"const void *", "void *", NULL};
	static const char *const texts[] = {"dev_name", "dir_name", "filename",
					    "name",     "type",     NULL};
	static const char *const bytes[] = {"buff", "name", "optval", NULL};
	const struct kt_field *f = &call->fields[argument];
	bool is_const = strncmp(f->type, "const ", 6) == 0, is_chars = is_one_of(f->type, chars);

	if ((is_chars || is_one_of(f->type, others)) && has_length(call, argument))
		return is_const || is_one_of(f->name, bytes) ? given(KT_POINTEE_BYTES)
							     : taken(KT_POINTEE_BYTES);
	if (is_chars && (is_const || is_one_of(f->name, texts)))
		return given(KT_POINTEE_STRING);
	return given(KT_POINTEE_NONE);
}

/* What "loff_t *" points to, if that is a number that the call may write; a char is no number. */
static bool find_number(const char *type, struct kt_btf *btf, struct kt_ctype *found)
{
	size_t n = strlen(type);
	struct kt_error unknown;
	char name[64];

	if (n < 3 || strcmp(type + n - 2, " *") != 0 || strncmp(type, "const ", 6) == 0)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)n - 2, type);
	return kt_ctype_find(btf, name, found, &unknown) == 0 && !found->is_pointer &&
	       found->size > 1;
}

/* A number behind a pointer is one that the call gives, unless it is one of these. */
static struct kt_pointee find_numbers(const struct kt_event *call, size_t argument,
				      struct kt_btf *btf)
{
	static const char *const others[] = {
		"child_tidptr", "grouplist", "ids",   "mnt_ids", "nmask",         "parent_tidptr",
		"status",       "tidptr",    "uaddr", "uaddr2",  "user_mask_ptr", NULL};
	static const char *const both[] = {"addr_len",      "off_in",        "off_out",
					   "offset",        "optlen",        "size",
					   "upeer_addrlen", "usockaddr_len", NULL};
	static const char *const pairs[] = {"fildes", "usockvec", NULL};
	const struct kt_field *f = &call->fields[argument];
	struct kt_pointee p = taken(KT_POINTEE_NUMBERS);

	if (is_one_of(f->name, others) || !find_number(f->type, btf, &p.type))
		return given(KT_POINTEE_NONE);
	p.at[KT_ENTER] = is_one_of(f->name, both);
	p.n = is_one_of(f->name, pairs) ? 2 : 1;
	if (strcmp(f->name, "ctxp") == 0)
		p.base = KT_HEX;
	if (strcmp(f->name, "stat_addr") == 0) {
		p.least = 1;
		p.base = KT_WAIT;
	}
	return p;
}

struct kt_pointee kt_pointee_of(const struct kt_event *call, size_t argument, struct kt_btf *btf)
{
	struct kt_pointee p = find_chars(call, argument);

	return p.kind ? p : find_numbers(call, argument, btf);
}

const struct kt_event *kt_pointee_call(const struct kt_event *event)
{
	return event->call ? event->call : event;
}

const char *kt_pointee_name(const char *argument, char name[KT_POINTEE_NAME_MAX])
{
	snprintf(name, KT_POINTEE_NAME_MAX, "__%s_val", argument);
	return name;
}

bool kt_pointee_argument(const char *name, char argument[KT_POINTEE_NAME_MAX])
{
	size_t n = strlen(name);

	if (n <= 6 || strncmp(name, "__", 2) != 0 || strcmp(name + n - 4, "_val") != 0)
		return false;
	snprintf(argument, KT_POINTEE_NAME_MAX, "%.*s", (int)n - 6, name + 2);
	return true;
}

static int add(struct kt_event *event, const char *argument, const struct kt_pointee *p)
{
	char name[KT_POINTEE_NAME_MAX];

	kt_pointee_name(argument, name);
	if (p->kind == KT_POINTEE_NONE || !p->at[event->call ? KT_EXIT : KT_ENTER])
		return 0;
	if (p->kind == KT_POINTEE_STRING)
		return kt_event_add_text(event, name);
	if (p->kind == KT_POINTEE_BYTES)
		return kt_event_add_bytes(event, name);
	return kt_event_add_numbers(event, name, &p->type, p->base);
}

int kt_pointee_add_all(struct kt_event *event, struct kt_btf *btf)
{
	const struct kt_event *call = kt_pointee_call(event);
	size_t i, n = call->n_fields;
	struct kt_pointee p;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++) {
		p = kt_pointee_of(call, i, btf);
		ret = add(event, call->fields[i].name, &p);
	}
	return ret;
}

size_t kt_pointee_find(const struct kt_event *event, const char *argument)
{
	char name[KT_POINTEE_NAME_MAX];
	size_t i;

	kt_pointee_name(argument, name);
	for (i = 0; i < event->n_fields; i++)
		if (strcmp(event->fields[i].name, name) == 0)
			break;
	return i;
}
