// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/ask/vmemmap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/privilege.h"
#include "bpf/asm.h"
#include "ctypes/btf.h"
#include "generate/pointer_chase.h"
#include "hook/map.h"
#include "hook/program.h"

/* vmemmap starts at a whole entry of the page tables, in the kernel's half of addresses. */
enum { ALIGNMENT = 1 << 30, TRIES = 3 };

/* A one-page file in memory. */
struct file {
	int fd;
	size_t size;
	char *memory;
};

static int open_file(struct file *f, struct kt_error *err)
{
	f->size = sysconf(_SC_PAGESIZE);
	f->fd = memfd_create("ktrace", MFD_CLOEXEC);
	if (f->fd < 0 || ftruncate(f->fd, f->size) < 0)
		return kt_fail(err, errno, "cannot make a file in memory: %s", strerror(errno));
	f->memory = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	if (f->memory == MAP_FAILED)
		return kt_fail(err, errno, "cannot map a file in memory: %s", strerror(errno));
	madvise(f->memory, f->size, MADV_NOHUGEPAGE);
	*(volatile char *)f->memory = 1;
	return 0;
}

static void close_file(struct file *f)
{
	if (f->memory != MAP_FAILED)
		munmap(f->memory, f->size);
	if (f->fd >= 0)
		close(f->fd);
}

/* Reads the number of the file's page. */
static int read_number(const struct file *f, uint64_t *number, struct kt_error *err)
{
	enum { PRESENT_BIT = 63, NUMBER_BITS = 55 };
	off_t at = (uintptr_t)f->memory / f->size * sizeof(*number);
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, number, sizeof(*number), at);

	if (n != sizeof(*number))
		kt_fail(err, n < 0 ? errno : EIO, "/proc/self/pagemap: %s",
			strerror(n < 0 ? errno : EIO));
	if (fd >= 0)
		close(fd);
	if (n != sizeof(*number))
		return -err->code;
	if (!(*number >> PRESENT_BIT)) {
		*number = 0;
		return 0;
	}
	*number &= (1ull << NUMBER_BITS) - 1;
	if (*number)
		return 0;
	return kt_fail(err, EPERM,
		       "/proc/self/pagemap has no page numbers; CAP_SYS_ADMIN is missing: %s",
		       kt_privilege_advice());
}

/* Stores what is there as the map's value. */
static void emit_walk(struct kt_asm *a, int result, const struct kt_member_path *page, int fd)
{
	kt_emit_pointer_chase(a, page, fd, -8);
	kt_asm_move_value(a, BPF_REG_1, result);
	kt_asm_store(a, BPF_DW, BPF_REG_1, 0, BPF_REG_0);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}

static int load_walk(int result, const struct kt_member_path *page, int fd, struct kt_error *err)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_asm *a = kt_asm_new();
	int program;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	emit_walk(a, result, page, fd);
	program = kt_program_load(kind, "vmemmap", a, err);
	kt_asm_free(a);
	return program;
}

/* Finds the struct of the file's page. */
static int find_struct(const struct file *f, const struct kt_member_path *page, uint64_t *at,
		       struct kt_error *err)
{
	struct kt_map result;
	uint32_t returned;
	int program, ret;

	if (kt_map_make(&result, "kt_vmemmap", sizeof(*at), 1, err) < 0)
		return -err->code;
	program = load_walk(result.fd, page, f->fd, err);
	ret = program < 0 ? program : kt_program_run(program, &returned, err);
	*at = *(uint64_t *)result.memory;
	if (program >= 0)
		close(program);
	kt_map_free(&result);
	return ret;
}

/* Computes the address by one file. The kernel may move a page meanwhile: 0 then. */
static int compute_base(const struct file *f, const struct kt_member_path *page, size_t size,
			uint64_t *vmemmap, struct kt_error *err)
{
	uint64_t before, after, at = 0;

	if (read_number(f, &before, err) < 0 || find_struct(f, page, &at, err) < 0 ||
	    read_number(f, &after, err) < 0)
		return -err->code;
	*vmemmap = before && before == after ? at - before * size : 0;
	return 0;
}

static bool is_possible_base(uint64_t vmemmap)
{
	return vmemmap % ALIGNMENT == 0 && vmemmap >> 63;
}

static int compare_bases(const struct file f[2], const struct kt_member_path *page, size_t size,
			 uint64_t *vmemmap, struct kt_error *err)
{
	uint64_t other;
	int i;

	for (i = 0; i < TRIES; i++) {
		if (compute_base(&f[0], page, size, vmemmap, err) < 0 ||
		    compute_base(&f[1], page, size, &other, err) < 0)
			return -err->code;
		if (*vmemmap == other && is_possible_base(other))
			return 0;
	}
	return kt_fail(err, EOPNOTSUPP, "cannot find the struct of a page");
}

int kt_vmemmap_find(const struct kt_member_path *page, size_t size, uint64_t *vmemmap,
		    struct kt_error *err)
{
	struct file f[2] = {{-1, 0, MAP_FAILED}, {-1, 0, MAP_FAILED}};
	uint64_t found;
	int ret;

	ret = open_file(&f[0], err);
	if (ret == 0)
		ret = open_file(&f[1], err);
	if (ret == 0)
		ret = compare_bases(f, page, size, &found, err);
	close_file(&f[1]);
	close_file(&f[0]);
	if (ret < 0)
		return kt_fail_because(err, "cannot find vmemmap");
	*vmemmap = found;
	return 0;
}
