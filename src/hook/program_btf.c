// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/program_btf.h"

#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "hook/capabilities.h"

/* Adds the type of all functions. Returns its id or -errno. */
static int add_type(struct btf *btf)
{
	int result = btf__add_int(btf, "long", 8, BTF_INT_SIGNED);
	int index = btf__add_int(btf, "u32", 4, 0);
	int pointer = btf__add_ptr(btf, 0);
	int type = btf__add_func_proto(btf, result);
	int ret = btf__add_func_param(btf, "index", index);

	if (ret == 0)
		ret = btf__add_func_param(btf, "context", pointer);
	return ret < 0 ? ret : type;
}

static int add_functions(struct kt_program_btf *b, struct btf *btf, const struct kt_asm *linked)
{
	int type = add_type(btf), id;
	const char *name;
	uint32_t i;

	if (type < 0)
		return type;
	for (i = 0; i < b->n; i++) {
		name = i ? kt_asm_function_name(linked, i - 1) : "program";
		id = btf__add_func(btf, name, BTF_FUNC_STATIC, type);
		if (id < 0)
			return id;
		b->functions[i] = (struct bpf_func_info){
			.insn_off = i ? kt_asm_function_at(linked, i - 1) : 0,
			.type_id = id,
		};
	}
	return btf__load_into_kernel(btf);
}

/* The program's own descriptor: libbpf closes its. */
static int load_btf(struct kt_program_btf *b, const struct kt_asm *linked)
{
	struct btf *btf = btf__new_empty();
	int ret = btf ? add_functions(b, btf, linked) : -errno;

	if (ret == 0) {
		b->fd = fcntl(btf__fd(btf), F_DUPFD_CLOEXEC, 1);
		ret = b->fd < 0 ? -errno : 0;
	}
	btf__free(btf);
	return ret;
}

int kt_program_btf_make(struct kt_program_btf *b, const struct kt_asm *linked, struct kt_error *err)
{
	int ret;

	*b = (struct kt_program_btf){0};
	if (kt_asm_count_functions(linked) == 0)
		return 0;
	b->n = kt_asm_count_functions(linked) + 1;
	b->functions = calloc(b->n, sizeof(*b->functions));
	if (!b->functions)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = load_btf(b, linked);
	if (ret == 0)
		return 0;
	free(b->functions);
	return kt_capabilities_fail(err, -ret, "cannot load BTF");
}

void kt_program_btf_free(struct kt_program_btf *b)
{
	if (b->fd > 0)
		close(b->fd);
	free(b->functions);
	*b = (struct kt_program_btf){0};
}
