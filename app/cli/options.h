/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options by which several subcommands are told what to record.
 *
 *	struct event_option *picks = new_picks("record", argc);
 *	...
 *	case 'e':
 *		status = option_event(picks, optarg);
 *		break;
 *	case 'f':
 *		status = option_filter("record", picks, optarg);
 *		break;
 *	...
 *	free(picks);
 *
 * They return the exit status, having said what is wrong.
 */
#ifndef KT_APP_CLI_OPTIONS_H
#define KT_APP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/cli/event_selection.h"
#include "app/cli/process_list.h"

#define RING_SIZE (4ull << 20) /* of each CPU's ring, where nothing is said of it */
#define BYTES_MAX 32           /* of what system calls read and write, likewise */

/* Room for what argc arguments can say, for the caller to free. NULL: there is none, which is said.
 */
struct event_option *new_event_options(const char *command, int argc);

/* Patterns; or, behind a '!', of those that are not to be among the others. */
int option_event(struct event_option *event_options, const char *text);

/* Of the event option before it. Whether it is a filter is seen here, whether it fits later. */
int option_filter(const char *command, struct event_option *event_options, const char *text);

/* The same: these are kept apart. */
int option_keep(const char *command, struct event_option *event_options);

/*
 * 'EVENT if FILTER', or events alone: which hits freeze the rings, and are recorded too. The text
 * is cut where the events end.
 */
int option_freeze(const char *command, struct event_option *event_options, char *text);
bool has_trigger(const struct event_option *event_options);

/* Processes that run, by their numbers. */
int option_processes(const char *command, struct processes *p, const char *text);

/* A time of one day at most. */
int option_time(const char *command, uint64_t *ns, const char *text);

/* Not 0. */
int option_count(const char *command, uint64_t *n, const char *text);

/* Bytes of a ring, one a CPU. */
int option_ring(const char *command, uint64_t *ring, const char *text);

/* Bytes of what a system call reads or writes. */
int option_bytes(const char *command, uint64_t *max, const char *text);

/* Paths of descriptors' files: -y. Given twice, as strace's -yy, it would mean more. */
int option_paths(const char *command, bool *paths);

#endif
