// SPDX-License-Identifier: GPL-2.0-or-later
#include "emit/record.h"

#include "catalog/event.h"
#include "emit/asm.h"

static int bpf_size(unsigned int bytes)
{
	switch (bytes) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		return BPF_DW;
	}
}

/* A context is read only at multiples of the size; a record can be written anywhere. */
static unsigned int step(unsigned int src, unsigned int left)
{
	unsigned int bytes = 8;

	while (src % bytes || bytes > left)
		bytes /= 2;
	return bytes;
}

static void copy(struct kt_asm *a, unsigned int dst, unsigned int src, unsigned int left)
{
	unsigned int bytes;

	for (; left; dst += bytes, src += bytes, left -= bytes) {
		bytes = step(src, left);
		kt_asm_load(a, bpf_size(bytes), BPF_REG_1, BPF_REG_6, src);
		kt_asm_store(a, bpf_size(bytes), BPF_REG_8, dst, BPF_REG_1);
	}
}

/* Fields with no gap between them go as one. */
static void copy_fields(struct kt_asm *a, const struct kt_event *event)
{
	unsigned int dst = sizeof(struct kt_record), src, size;
	const struct kt_field *f = event->fields, *end = f + event->n_fields;

	while (f < end) {
		src = f->offset;
		size = 0;
		kt_asm_note(a, "from %s on", f->name);
		for (; f < end && f->offset == src + size; f++)
			size += f->size;
		copy(a, dst, src, size);
		dst += size;
	}
}

void kt_emit_record(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event)
{
	r.size = kt_record_size(kt_event_record_size(event));
	kt_emit_reserve(a, &r);
	copy_fields(a, event);
	kt_emit_commit(a, &r);
}
