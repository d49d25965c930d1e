/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_APP_CLI_FILTER_OPTION_H
#define KT_APP_CLI_FILTER_OPTION_H

struct kt_error;
struct kt_event;
struct kt_filter;

/*
 * Parses a user's filter as kt_filter_parse() (events/filter.h). In a PID namespace it fails with
 * EOPNOTSUPP for a filter that compares the kernel's task numbers, which are others there.
 * Arguments of system calls are numbers of the caller's namespace, and can be compared.
 */
struct kt_filter *parse_user_filter(const struct kt_event *event, const char *text,
				    struct kt_error *err);

#endif
