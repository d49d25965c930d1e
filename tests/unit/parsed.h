/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parsed metadata (tests/unit/metadata.h) that the tests of a group share. */
#ifndef KT_TESTS_UNIT_PARSED_H
#define KT_TESTS_UNIT_PARSED_H

#include <string.h>

#include "base/error.h"
#include "trace/read/metadata_reader.h"

static struct kt_metadata *parsed;

static int parse(const char *text)
{
	struct kt_error err;

	parsed = kt_metadata_parse(text, strlen(text), &err);
	if (!parsed)
		fail_msg("%s", err.text);
	return 0;
}

static int free_parsed(void **state)
{
	(void)state;
	kt_metadata_free(parsed);
	return 0;
}

#endif
