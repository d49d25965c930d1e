// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/usdt_notes.h"

#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "elf/elf_file.h"

enum { TYPE = 3, ADDRESSES = 3 };

static const char owner[] = "stapsdt";

/* Addresses in a note. The linker knows `base`, too: prelinking moves it, but not the note. */
struct addresses {
	uint64_t location, base, semaphore;
};

_Static_assert(sizeof(struct addresses) == ADDRESSES * sizeof(uint64_t), "as in the file");

/* Finds a section. Returns false if the file has none of that name. */
static bool find_section(Elf *elf, const char *name, GElf_Shdr *header, Elf_Data **data)
{
	Elf_Scn *section = NULL;
	size_t names;
	const char *found;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return false;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, header))
			continue;
		found = elf_strptr(elf, names, header->sh_name);
		if (!found || strcmp(found, name) != 0)
			continue;
		*data = header->sh_type == SHT_NOBITS ? NULL : elf_getdata(section, NULL);
		return true;
	}
	return false;
}

/* Notes that are being read. */
struct reading {
	struct kt_usdt_notes *notes;
	const struct kt_elf_file *file;
	uint64_t base; /* where the linker's base is now; 0: unknown */
};

/* Moves addresses of the note by as much as the file was moved. */
static void relocate(const struct reading *r, struct addresses *a)
{
	uint64_t moved = a->base && r->base ? r->base - a->base : 0;

	a->location += moved;
	if (a->semaphore)
		a->semaphore += moved;
}

/* Returns whether a NOP is at that address: one of the forms that compilers and libraries use. */
static bool is_nop(const struct kt_elf_file *file, uint64_t address)
{
	unsigned char code[4] = {0};

	if (!kt_elf_file_read(file, address, code, sizeof(code)))
		return false;
#if defined(__x86_64__)
	return code[0] == 0x90 || (code[0] == 0x66 && code[1] == 0x90) ||
	       (code[0] == 0x0f && code[1] == 0x1f) ||
	       (code[0] == 0x66 && code[1] == 0x0f && code[2] == 0x1f);
#elif defined(__aarch64__)
	return memcmp(code, "\x1f\x20\x03\xd5", sizeof(code)) == 0;
#endif
}

/* Returns the text at *at, and moves *at behind it. NULL: it does not end. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', end - text);

	if (nul)
		*at = nul + 1;
	return nul ? text : NULL;
}

static void free_note(struct kt_usdt_note *note)
{
	free(note->provider);
	free(note->name);
	free(note->arguments);
}

static int add_note(struct kt_usdt_notes *notes, const struct kt_usdt_note *like)
{
	struct kt_usdt_note note = *like, *larger;

	note.provider = strdup(like->provider);
	note.name = strdup(like->name);
	note.arguments = strdup(like->arguments);
	larger = kt_grow(notes->at, notes->n, sizeof(*larger));
	if (larger)
		notes->at = larger;
	if (!larger || !note.provider || !note.name || !note.arguments) {
		free_note(&note);
		return -ENOMEM;
	}
	notes->at[notes->n++] = note;
	return 0;
}

/* Finds the mark's offsets in the file. Returns false if it leads to no NOP. */
static bool find_places(const struct reading *r, const struct addresses *a,
			struct kt_usdt_note *note)
{
	note->address = a->location;
	return kt_elf_file_offset(r->file, a->location, &note->offset) &&
	       is_nop(r->file, a->location) &&
	       (!a->semaphore || kt_elf_file_data_offset(r->file, a->semaphore, &note->semaphore));
}

/* Adds the mark that a note's contents describe, if they do. */
static int add_mark(const struct reading *r, const char *at, size_t size)
{
	const char *end = at + size;
	struct addresses a;
	struct kt_usdt_note note = {0};

	if (size < sizeof(a))
		return 0;
	memcpy(&a, at, sizeof(a));
	at += sizeof(a);
	note.provider = (char *)take_text(&at, end);
	note.name = note.provider ? (char *)take_text(&at, end) : NULL;
	note.arguments = note.name ? (char *)take_text(&at, end) : NULL;
	if (!note.arguments || !*note.provider || !*note.name)
		return 0;
	relocate(r, &a);
	return find_places(r, &a, &note) ? add_note(r->notes, &note) : 0;
}

static int read_section(const struct reading *r, Elf_Data *data)
{
	const char *bytes = data->d_buf;
	size_t at = 0, next, name, contents;
	GElf_Nhdr note;
	int ret = 0;

	for (; ret == 0 && (next = gelf_getnote(data, at, &note, &name, &contents)); at = next)
		if (note.n_type == TYPE && note.n_namesz == sizeof(owner) &&
		    memcmp(bytes + name, owner, sizeof(owner)) == 0)
			ret = add_mark(r, bytes + contents, note.n_descsz);
	return ret;
}

static int compare_notes(const void *a, const void *b)
{
	const struct kt_usdt_note *x = a, *y = b;
	int by = strcmp(x->provider, y->provider);

	if (by == 0)
		by = strcmp(x->name, y->name);
	return by ? by : x->address < y->address ? -1 : x->address > y->address;
}

struct kt_usdt_notes *kt_usdt_notes_read(const struct kt_elf_file *file, struct kt_error *err)
{
	struct kt_usdt_notes *notes = calloc(1, sizeof(*notes));
	struct reading r = {.notes = notes, .file = file};
	Elf *elf = kt_elf_file_elf(file);
	Elf_Data *data = NULL;
	GElf_Shdr header;
	int ret = notes ? 0 : -ENOMEM;

	if (find_section(elf, ".stapsdt.base", &header, &data))
		r.base = header.sh_addr;
	if (ret == 0 && find_section(elf, ".note.stapsdt", &header, &data) && data)
		ret = read_section(&r, data);
	if (ret < 0) {
		kt_fail(err, ENOMEM, "%s: %s", kt_elf_file_path(file), strerror(ENOMEM));
		kt_usdt_notes_free(notes);
		return NULL;
	}
	if (notes->n)
		qsort(notes->at, notes->n, sizeof(*notes->at), compare_notes);
	return notes;
}

void kt_usdt_notes_free(struct kt_usdt_notes *notes)
{
	size_t i;

	if (!notes)
		return;
	for (i = 0; i < notes->n; i++)
		free_note(&notes->at[i]);
	free(notes->at);
	free(notes);
}
