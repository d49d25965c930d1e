// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/task_storage.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "generate/task_state.h"
#include "hook/capabilities.h"

enum { WORD = sizeof(uint32_t) };

/* Ids of the types of keys and values, which the kernel requires. */
struct types {
	int key, value;
};

/* Loads the types into the kernel. Returns a descriptor or -errno. */
static int load_types(struct btf *btf, struct types *t)
{
	int ret;

	t->key = btf__add_int(btf, "int", WORD, BTF_INT_SIGNED);
	t->value = btf__add_array(btf, t->key, t->key, sizeof(struct kt_task_state) / WORD);
	ret = t->key < 0 ? t->key : t->value < 0 ? t->value : btf__load_into_kernel(btf);
	return ret < 0 ? ret : btf__fd(btf);
}

static int make_map(int types, const struct types *t)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC, .btf_fd = types,
		    .btf_key_type_id = t->key, .btf_value_type_id = t->value);

	return bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "kt_task_states", WORD,
			      sizeof(struct kt_task_state), 0, &opts);
}

int kt_task_storage_make(struct kt_error *err)
{
	struct btf *btf = btf__new_empty();
	struct types t;
	int ret;

	if (!btf)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = load_types(btf, &t);
	if (ret >= 0)
		ret = make_map(ret, &t);
	btf__free(btf);
	return ret < 0 ? kt_capabilities_fail(err, -ret, "cannot make a BPF map") : ret;
}

/*
 * Reading a value fails differently for a program or link; and this map has no value for no
 * process.
 */
bool kt_task_storage_is(int fd)
{
	struct bpf_map_info info = {0};
	uint32_t size = sizeof(info);
	struct kt_task_state value;
	int none = -1;

	return bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
	       info.type == BPF_MAP_TYPE_TASK_STORAGE && info.value_size == sizeof(value) &&
	       bpf_map_lookup_elem(fd, &none, &value) < 0 && errno == EBADF;
}
