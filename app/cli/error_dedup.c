// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/error_dedup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "base/grow.h"

static bool was_said(const struct repeats *r, const struct kt_error *err)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->said[i].typed == err->typed && r->said[i].at == err->at &&
		    r->said[i].code == err->code)
			return true;
	return false;
}

/* Where there is no memory it may be said twice. */
static void remember(struct repeats *r, const struct kt_error *err)
{
	struct kt_error *said = kt_grow(r->said, r->n, sizeof(*said));

	if (!said)
		return;
	r->said = said;
	said[r->n++] = *err;
}

void say_once(struct repeats *r, const struct kt_error *err)
{
	if (err->typed && was_said(r, err)) {
		r->more++;
		return;
	}
	say_error(r->command, err);
	if (err->typed)
		remember(r, err);
}

void end_repeats(struct repeats *r)
{
	if (r->more)
		fprintf(stderr, "ktrace %s: the same is true of %zu more event%s\n", r->command,
			r->more, r->more == 1 ? "" : "s");
	free(r->said);
	*r = (struct repeats){.command = r->command};
}
