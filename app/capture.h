/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What 'record' is to record, and the recording of it.
 *
 *	struct pick picks[] = {{.patterns = "sched_switch"}, {}};
 *	struct wanted w = {.picks = picks, .dir = TRACE_DIR, .ring = 4 << 20};
 *
 *	return capture(&w);
 */
#ifndef KT_APP_CAPTURE_H
#define KT_APP_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "app/choice.h"
#include "app/processes.h"

struct wanted {
	struct pick *picks;         /* up to one without patterns */
	struct processes processes; /* they are recorded, with what they fork */
	bool all;                   /* the whole machine is */
	bool *cpus;                 /* all that is recorded, there alone; or NULL */
	char **command; /* while it runs, and it alone where nothing else is said; or NULL */
	const char *dir;
	uint64_t ring;      /* bytes, one a CPU */
	uint64_t bytes_max; /* of what system calls read and write */
	bool strict;        /* EXIT_LOST where any hits are lost */
	bool dump;          /* the programs to standard output, and nothing is recorded */
};

/* Until the end of what is recorded, or a signal; a dump until it is made. Returns the exit status;
 * all is said. */
int capture(struct wanted *w);

#endif
