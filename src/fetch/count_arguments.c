// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/count_arguments.h"

#include <stddef.h>
#include <string.h>

#include "fetch/pointed_data_names.h"

static const struct count {
	const char *argument, *count;
	enum kt_count_unit unit;
} counts[] = {
	{"events", "maxevents", KT_COUNT_ELEMENTS},
	{"events", "nr", KT_COUNT_ELEMENTS},
	{"events", "ret", KT_COUNT_ELEMENTS},
	{"exp", "n", KT_COUNT_BITS},
	{"grouplist", "gidsetsize", KT_COUNT_ELEMENTS},
	{"grouplist", "ret", KT_COUNT_ELEMENTS},
	{"inp", "n", KT_COUNT_BITS},
	{"lvec", "liovcnt", KT_COUNT_ELEMENTS},
	{"mmsg", "ret", KT_COUNT_ELEMENTS},
	{"mmsg", "vlen", KT_COUNT_ELEMENTS},
	{"mnt_ids", "nr_mnt_ids", KT_COUNT_ELEMENTS},
	{"mnt_ids", "ret", KT_COUNT_ELEMENTS},
	{"msg_iov", "msg_iovlen", KT_COUNT_ELEMENTS},
	{"new_nodes", "maxnode", KT_COUNT_NODES},
	{"nmask", "maxnode", KT_COUNT_NODES},
	{"nodes", "nr_pages", KT_COUNT_ELEMENTS},
	{"old_nodes", "maxnode", KT_COUNT_NODES},
	{"outp", "n", KT_COUNT_BITS},
	{"pages", "nr_pages", KT_COUNT_ELEMENTS},
	{"rvec", "riovcnt", KT_COUNT_ELEMENTS},
	{"status", "nr_pages", KT_COUNT_ELEMENTS},
	{"tsops", "nsops", KT_COUNT_ELEMENTS},
	{"ufds", "nfds", KT_COUNT_ELEMENTS},
	{"uiov", "nr_segs", KT_COUNT_ELEMENTS},
	{"user_mask_ptr", "len", KT_COUNT_BYTES},
	{"user_mask_ptr", "ret", KT_COUNT_BYTES},
	{"vec", "len", KT_COUNT_PAGES},
	{"vec", "vlen", KT_COUNT_ELEMENTS},
	{"waiters", "nr_futexes", KT_COUNT_ELEMENTS},
};

static const struct count *find_count(const char *argument, const char *count)
{
	const struct count *c, *end = counts + sizeof(counts) / sizeof(*counts);

	for (c = counts; c < end; c++)
		if (strcmp(argument, c->argument) == 0 && strcmp(count, c->count) == 0)
			return c;
	return NULL;
}

bool kt_count_argument_is(const char *argument, const char *count)
{
	char counted[KT_POINTED_DATA_NAME_MAX];

	if (find_count(argument, count))
		return true;
	return kt_pointed_data_count_argument(count, counted) && strcmp(counted, argument) == 0;
}

enum kt_count_unit kt_count_unit_of(const char *argument, const char *count)
{
	const struct count *c = find_count(argument, count);

	return c ? c->unit : KT_COUNT_ELEMENTS;
}

struct kt_count_rule kt_count_rule_of(enum kt_count_unit unit)
{
	static const struct kt_count_rule rules[] = {
		[KT_COUNT_ELEMENTS] = {0, 0},  [KT_COUNT_BITS] = {63, 6},
		[KT_COUNT_BYTES] = {0, 3},     [KT_COUNT_NODES] = {62, 6},
		[KT_COUNT_PAGES] = {4095, 12},
	};

	return rules[unit];
}

uint64_t kt_count_elements(enum kt_count_unit unit, uint64_t count)
{
	struct kt_count_rule rule = kt_count_rule_of(unit);
	uint64_t sum;

	if (__builtin_add_overflow(count, rule.round, &sum))
		sum = UINT64_MAX;
	return sum >> rule.shift;
}
