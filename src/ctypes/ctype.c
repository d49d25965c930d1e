// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/ctype.h"

#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "ctypes/btf.h"

static const struct word {
	const char *name;
	struct kt_ctype type;
} words[] = {
	{"char", {.size = 1, .is_signed = true}},
	{"int", {.size = sizeof(int), .is_signed = true}},
	{"long", {.size = sizeof(long), .is_signed = true}},
	{"unsigned", {.size = sizeof(int)}},
	{"unsigned char", {.size = sizeof(char)}},
	{"unsigned int", {.size = sizeof(int)}},
	{"unsigned long", {.size = sizeof(long)}},
};

enum { N_WORDS = sizeof(words) / sizeof(*words) };

static const char *skip_word(const char *name, const char *word)
{
	size_t n = strlen(word);

	return strncmp(name, word, n) == 0 ? name + n : name;
}

int kt_ctype_describe(const struct btf *btf, uint32_t type, struct kt_ctype *found)
{
	const struct btf_type *t = btf__type_by_id(btf, type);

	while (t && (btf_is_mod(t) || btf_is_typedef(t)))
		t = btf__type_by_id(btf, t->type);
	if (t && btf_is_ptr(t))
		*found = (struct kt_ctype){.size = sizeof(void *), .is_pointer = true};
	else if (t && (btf_is_int(t) || btf_is_any_enum(t)))
		*found = (struct kt_ctype){
			.size = t->size,
			.is_signed =
				btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED : btf_kflag(t),
		};
	else
		return -ENOENT;
	return 0;
}

int kt_ctype_find(struct kt_btf *btf, const char *name, struct kt_ctype *found,
		  struct kt_error *err)
{
	const char *plain = skip_word(name, "const "), *tag = skip_word(plain, "enum ");
	uint32_t id;
	size_t i;

	if (strchr(name, '*')) {
		*found = (struct kt_ctype){.size = sizeof(void *), .is_pointer = true};
		return 0;
	}
	for (i = 0; i < N_WORDS; i++) {
		if (strcmp(plain, words[i].name) == 0) {
			*found = words[i].type;
			return 0;
		}
	}
	if (kt_btf_find(btf, tag == plain ? KT_BTF_INDEX_TYPEDEF : KT_BTF_INDEX_ENUM, tag, &id,
			err) < 0)
		return -err->code;
	if (kt_ctype_describe(kt_btf_types(btf), id, found) == 0)
		return 0;
	return kt_fail(err, ENOENT, "'%s' is neither a number nor a pointer", name);
}
