// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/unwind_table.h"

#include <gelf.h>
#include <string.h>

#include "elf/elf_file.h"

/*
 * Encodings of the pointers in .eh_frame_hdr, as linkers write them (Linux Standard Base): 4 bytes
 * with a sign, from the field itself; 4 bytes; and 4 bytes with a sign, from the table's begin.
 */
enum { FROM_FIELD = 0x1b, PLAIN = 0x03, FROM_TABLE = 0x3b };

struct header {
	uint8_t version, frame, count, table;
	int32_t frame_at;
	uint32_t n;
};

struct entry {
	int32_t start, frame;
};

struct table {
	uint64_t address;
	size_t n;
	const char *entries; /* struct entry, maybe unaligned */
};

static bool find_segment(const struct kt_elf_file *f, GElf_Phdr *segment)
{
	Elf *elf = kt_elf_file_elf(f);
	size_t i, n = 0;

	if (elf_getphdrnum(elf, &n) < 0)
		return false;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, segment) && segment->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

static bool read_table(const struct kt_elf_file *f, struct table *t)
{
	GElf_Phdr segment;
	struct header h;
	Elf_Data *data;

	if (!find_segment(f, &segment))
		return false;
	data = elf_getdata_rawchunk(kt_elf_file_elf(f), segment.p_offset, segment.p_filesz,
				    ELF_T_BYTE);
	if (!data || data->d_size < sizeof(h))
		return false;
	memcpy(&h, data->d_buf, sizeof(h));
	if (h.version != 1 || h.frame != FROM_FIELD || h.count != PLAIN || h.table != FROM_TABLE ||
	    h.n > (data->d_size - sizeof(h)) / sizeof(struct entry))
		return false;
	*t = (struct table){segment.p_vaddr, h.n, (char *)data->d_buf + sizeof(h)};
	return true;
}

static uint64_t get_start(const struct table *t, size_t i)
{
	struct entry e;

	memcpy(&e, t->entries + i * sizeof(e), sizeof(e));
	return t->address + e.start;
}

bool kt_unwind_table_find(const struct kt_elf_file *f, uint64_t address, uint64_t *start)
{
	size_t low = 0, high, middle;
	struct table t;

	if (!read_table(f, &t))
		return false;
	for (high = t.n; low < high;) {
		middle = low + (high - low) / 2;
		if (get_start(&t, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	*start = get_start(&t, low - 1);
	return true;
}
