// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/curated.h"

#include <stdbool.h>
#include <string.h>

#include "base/layout.h"
#include "catalog/curated.h"
#include "catalog/event.h"
#include "emit/asm.h"

enum { CONTEXT = BPF_REG_6, BASE = BPF_REG_7, RECORD = BPF_REG_8, VALUE = BPF_REG_1 };

static void load_arg(struct kt_asm *a, int dst, const struct kt_path *p)
{
	kt_asm_load(a, BPF_DW, dst, CONTEXT, p->arg * 8);
}

/* Whether the last of their pointers is the same. */
static bool same_base(const struct kt_path *p, const struct kt_path *q)
{
	return p->n && p->n == q->n && p->arg == q->arg &&
	       memcmp(p->offsets, q->offsets, (p->n - 1) * sizeof(*p->offsets)) == 0;
}

/* BASE = the last pointer of the path */
static void load_base(struct kt_asm *a, const struct kt_path *p)
{
	unsigned int i;

	load_arg(a, BASE, p);
	for (i = 0; i + 1 < p->n; i++)
		kt_asm_load(a, BPF_DW, BASE, BASE, p->offsets[i]);
}

/* As C's assignment does: cut, or widened by its sign. A load leaves zeros, an argument anything.
 */
static void copy_value(struct kt_asm *a, unsigned int dst, const struct kt_field *f,
		       const struct kt_path *p)
{
	unsigned int unused = 64 - 8 * p->size;

	if (p->n)
		kt_asm_load(a, kt_asm_size(p->size), VALUE, BASE, p->offsets[p->n - 1]);
	else
		load_arg(a, VALUE, p);
	if (p->size < f->size && (p->is_signed || !p->n)) {
		kt_asm_alu_imm(a, BPF_LSH, VALUE, unused);
		kt_asm_alu_imm(a, p->is_signed ? BPF_ARSH : BPF_RSH, VALUE, unused);
	}
	kt_asm_store(a, kt_asm_size(f->size), RECORD, dst, VALUE);
}

static void copy_array(struct kt_asm *a, unsigned int dst, const struct kt_path *p)
{
	unsigned int bytes = 8, at = 0;

	for (; at < p->size; at += bytes) {
		while (bytes > p->size - at)
			bytes /= 2;
		kt_asm_load(a, kt_asm_size(bytes), VALUE, BASE, p->offsets[p->n - 1] + at);
		kt_asm_store(a, kt_asm_size(bytes), RECORD, dst + at, VALUE);
	}
}

void kt_emit_curated(struct kt_asm *a, const struct kt_event *event)
{
	const struct kt_path *p = event->curated->paths, *before = NULL;
	unsigned int dst = sizeof(struct kt_record);
	const struct kt_field *f = event->fields;

	for (; f < event->fields + event->n_fields; dst += f->size, f++, p++) {
		kt_asm_note(a, "%s", f->name);
		if (p->n && !(before && same_base(before, p))) {
			load_base(a, p);
			before = p;
		}
		if (f->flags & KT_FIELD_ARRAY)
			copy_array(a, dst, p);
		else
			copy_value(a, dst, f, p);
	}
}
