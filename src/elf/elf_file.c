// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { BUILD_ID_MAX = 64 }; /* bytes; the usual length is 20 */

struct kt_elf_file {
	char *path;
	int fd;
	struct kt_file_identity identity;
	Elf *elf;
	size_t n_segments;
	char build_id[2 * BUILD_ID_MAX + 1];
};

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

static void write_hex(char *text, const unsigned char *bytes, size_t n)
{
	for (; n > 0; n--, bytes++, text += 2)
		sprintf(text, "%02x", *bytes);
}

/* Reads the build id among the notes of a segment. */
static void read_notes(struct kt_elf_file *f, const GElf_Phdr *segment)
{
	Elf_Data *notes = elf_getdata_rawchunk(f->elf, segment->p_offset, segment->p_filesz,
					       segment->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (notes && (at = gelf_getnote(notes, at, &note, &name, &desc)) > 0) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp((char *)notes->d_buf + name, "GNU", sizeof("GNU")) != 0 ||
		    note.n_descsz > BUILD_ID_MAX)
			continue;
		write_hex(f->build_id, (unsigned char *)notes->d_buf + desc, note.n_descsz);
		return;
	}
}

static void find_build_id(struct kt_elf_file *f)
{
	GElf_Phdr segment;
	size_t i;

	for (i = 0; i < f->n_segments && !*f->build_id; i++)
		if (gelf_getphdr(f->elf, i, &segment) && segment.p_type == PT_NOTE)
			read_notes(f, &segment);
}

static int fail(const struct kt_elf_file *f, int code, const char *what, struct kt_error *err)
{
	return kt_fail(err, code, "%s: %s", f->path, what);
}

/* Writes what a file that is no ELF file may be. */
static int report_no_elf(const struct kt_elf_file *f, struct kt_error *err)
{
	char line[128] = "";
	ssize_t n = pread(f->fd, line, sizeof(line) - 1, 0);

	if (n < 2 || strncmp(line, "#!", 2) != 0)
		return fail(f, ENOEXEC, "not an ELF file", err);
	line[strcspn(line, "\n")] = '\0';
	return kt_fail(err, ENOEXEC, "%s: not an ELF file but a script of %s", f->path,
		       line + 2 + strspn(line + 2, " "));
}

static int check_file(struct kt_elf_file *f, struct kt_error *err)
{
	GElf_Ehdr header;
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return fail(f, errno, strerror(errno), err);
	if (!S_ISREG(st.st_mode))
		return fail(f, ENOEXEC, "not a file", err);
	f->identity = kt_file_identity_of(&st);
	if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &header))
		return report_no_elf(f, err);
	if (header.e_machine != MACHINE)
		return fail(f, ENOEXEC, "a program of another machine", err);
	if (gelf_getclass(f->elf) != ELFCLASS64)
		return fail(f, ENOEXEC, "a 32-bit program: only 64-bit ones are supported", err);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return fail(f, ENOEXEC, "neither a program nor a library", err);
	return 0;
}

struct kt_elf_file *kt_elf_file_open(const char *path, struct kt_error *err)
{
	struct kt_elf_file *f = calloc(1, sizeof(*f));

	if (!f || !(f->path = strdup(path))) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		free(f);
		return NULL;
	}
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0) {
		fail(f, errno, strerror(errno), err);
		kt_elf_file_close(f);
		return NULL;
	}
	elf_version(EV_CURRENT);
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	if (check_file(f, err) < 0) {
		kt_elf_file_close(f);
		return NULL;
	}
	if (elf_getphdrnum(f->elf, &f->n_segments) < 0)
		f->n_segments = 0;
	find_build_id(f);
	return f;
}

struct kt_elf_file *kt_elf_file_open_debug(const struct kt_elf_file *f, const char *root)
{
	struct kt_elf_file *debug;
	struct kt_error ignored;
	char path[PATH_MAX];

	if (strlen(f->build_id) < 4 ||
	    snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/%.2s/%s.debug", root,
		     f->build_id, f->build_id + 2) >= (int)sizeof(path))
		return NULL;
	debug = kt_elf_file_open(path, &ignored);
	if (debug && strcmp(debug->build_id, f->build_id) != 0) {
		kt_elf_file_close(debug);
		return NULL;
	}
	return debug;
}

void kt_elf_file_close(struct kt_elf_file *f)
{
	if (!f)
		return;
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	free(f);
}

Elf *kt_elf_file_elf(const struct kt_elf_file *f)
{
	return f->elf;
}

const char *kt_elf_file_path(const struct kt_elf_file *f)
{
	return f->path;
}

struct kt_file_identity kt_elf_file_identity(const struct kt_elf_file *f)
{
	return f->identity;
}

const char *kt_elf_file_build_id(const struct kt_elf_file *f)
{
	return f->build_id;
}

/* Finds an address in a segment with these flags. */
static bool find_offset(const struct kt_elf_file *f, uint64_t address, uint32_t flags,
			uint64_t *offset)
{
	GElf_Phdr segment;
	size_t i;

	for (i = 0; i < f->n_segments; i++) {
		if (!gelf_getphdr(f->elf, i, &segment) || segment.p_type != PT_LOAD ||
		    (segment.p_flags & flags) != flags || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*offset = address - segment.p_vaddr + segment.p_offset;
		return true;
	}
	return false;
}

bool kt_elf_file_offset(const struct kt_elf_file *f, uint64_t address, uint64_t *offset)
{
	return find_offset(f, address, PF_X, offset);
}

bool kt_elf_file_data_offset(const struct kt_elf_file *f, uint64_t address, uint64_t *offset)
{
	return find_offset(f, address, PF_W, offset);
}

bool kt_elf_file_read(const struct kt_elf_file *f, uint64_t address, void *to, size_t n)
{
	uint64_t offset;

	return kt_elf_file_offset(f, address, &offset) && pread(f->fd, to, n, offset) > 0;
}
