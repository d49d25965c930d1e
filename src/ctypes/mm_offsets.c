// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/mm_offsets.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "ctypes/btf.h"

/* Finds a member of a member, whose type has no name. */
static int find_inner(struct kt_btf *btf, const char *of, const char *outer, const char *inner,
		      unsigned int *offset, struct kt_error *err)
{
	unsigned int bits = 0, size = 0;
	const struct btf_member *m;
	const struct btf *types;
	uint32_t type;

	if (kt_btf_find(btf, KT_BTF_INDEX_STRUCT, of, &type, err) < 0)
		return -err->code;
	types = kt_btf_types(btf);
	m = kt_btf_member(types, type, (struct kt_word){outer, strlen(outer)}, &bits, &size);
	if (m)
		m = kt_btf_member(types, kt_btf_bare(types, m->type),
				  (struct kt_word){inner, strlen(inner)}, &bits, &size);
	if (!m || size)
		return kt_fail(err, ENOENT, "the kernel's 'struct %s' has no '%s.%s'", of, outer,
			       inner);
	*offset = bits / 8;
	return 0;
}

int kt_mm_offsets_find(struct kt_btf *btf, struct kt_mm_offsets *found, struct kt_error *err)
{
	int ret = kt_btf_offset(btf, "task_struct", "mm", &found->of_task, err);

	if (ret == 0)
		ret = kt_btf_offset(btf, "mm_struct", "exec_vm", &found->code_pages, err);
	return ret < 0 ? ret : find_inner(btf, "mm_struct", "context", "ctx_id", &found->id, err);
}
