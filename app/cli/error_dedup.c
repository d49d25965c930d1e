// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/error_dedup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "base/grow.h"

static bool was_reported(const struct error_dedup *r, const struct kt_error *err)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->reported[i].typed == err->typed && r->reported[i].at == err->at &&
		    r->reported[i].code == err->code)
			return true;
	return false;
}

/* Without memory an error may be reported twice. */
static void remember_error(struct error_dedup *r, const struct kt_error *err)
{
	struct kt_error *reported = kt_grow(r->reported, r->n, sizeof(*reported));

	if (!reported)
		return;
	r->reported = reported;
	reported[r->n++] = *err;
}

void error_dedup_report(struct error_dedup *r, const struct kt_error *err)
{
	if (err->typed && was_reported(r, err)) {
		r->more++;
		return;
	}
	report_error(r->command, err);
	if (err->typed)
		remember_error(r, err);
}

void error_dedup_end(struct error_dedup *r)
{
	if (r->more)
		fprintf(stderr, "ktrace %s: the same error for %zu more event%s\n", r->command,
			r->more, r->more == 1 ? "" : "s");
	free(r->reported);
	*r = (struct error_dedup){.command = r->command};
}
