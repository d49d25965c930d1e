// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/btf_declaration.h"

#include <bpf/btf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct kt_btf_declarations {
	struct btf_dump *dump;
	FILE *to; /* of the one that is being made */
};

static void print(void *context, const char *format, va_list args)
{
	struct kt_btf_declarations *d = context;

	vfprintf(d->to, format, args);
}

struct kt_btf_declarations *kt_btf_declarations_new(const struct btf *btf)
{
	struct kt_btf_declarations *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->dump = btf_dump__new(btf, print, d, NULL);
	if (d->dump)
		return d;
	free(d);
	return NULL;
}

void kt_btf_declarations_free(struct kt_btf_declarations *d)
{
	if (!d)
		return;
	btf_dump__free(d->dump);
	free(d);
}

char *kt_btf_declaration(struct kt_btf_declarations *d, uint32_t type, const char *name)
{
	LIBBPF_OPTS(btf_dump_emit_type_decl_opts, opts, .field_name = name);
	size_t size;
	char *text;
	int ret;

	d->to = open_memstream(&text, &size);
	if (!d->to)
		return NULL;
	ret = btf_dump__emit_type_decl(d->dump, type, &opts);
	if (fclose(d->to) == 0 && ret == 0)
		return text;
	free(text);
	return NULL;
}
