// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/slots.h"

#include <stdlib.h>

enum { N_PAGES = KT_PIDS_MAX / KT_SLOTS_PAGE };

static void *in_page(const struct kt_slots *s, uint32_t tid)
{
	return s->pages[tid / KT_SLOTS_PAGE] + tid % KT_SLOTS_PAGE * s->size;
}

void *kt_slots_find(const struct kt_slots *s, uint32_t tid)
{
	return tid < KT_PIDS_MAX && s->pages[tid / KT_SLOTS_PAGE] ? in_page(s, tid) : NULL;
}

void *kt_slots_next(const struct kt_slots *s, uint32_t *tid)
{
	uint32_t page;

	for (page = *tid / KT_SLOTS_PAGE; page < N_PAGES; page++) {
		if (s->pages[page])
			return in_page(s, *tid);
		*tid = (page + 1) * KT_SLOTS_PAGE;
	}
	return NULL;
}

void *kt_slots_make(struct kt_slots *s, uint32_t tid)
{
	char **page;

	if (tid >= KT_PIDS_MAX)
		return NULL;
	page = &s->pages[tid / KT_SLOTS_PAGE];
	if (!*page)
		*page = calloc(KT_SLOTS_PAGE, s->size);
	return *page ? in_page(s, tid) : NULL;
}

void kt_slots_clear(struct kt_slots *s, void (*release)(void *slot))
{
	size_t i, k;

	for (i = 0; i < N_PAGES; i++) {
		for (k = 0; s->pages[i] && release && k < KT_SLOTS_PAGE; k++)
			release(s->pages[i] + k * s->size);
		free(s->pages[i]);
		s->pages[i] = NULL;
	}
}
