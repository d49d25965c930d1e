/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_APP_CLI_FILTER_OPTION_H
#define KT_APP_CLI_FILTER_OPTION_H

struct kt_error;
struct kt_event;
struct kt_filter;

/*
 * Parses a filter that a user has written, as kt_filter_parse does (events/filter.h). Also fails
 * with EOPNOTSUPP for one that compares numbers of tasks where these are not the kernel's: in a PID
 * namespace. The arguments of system calls are numbers of the caller's namespace, and compared.
 */
struct kt_filter *parse_user_filter(const struct kt_event *event, const char *text,
				    struct kt_error *err);

#endif
