// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/fd_arguments.h"

#include <string.h>

#include "base/words.h"
#include "constants/constants.h"
#include "events/event.h"
#include "events/syscall_names.h"

static bool has_fd_suffix(const char *name)
{
	size_t n = strlen(name);

	return n >= 2 && strcmp(name + n - 2, "fd") == 0;
}

static const char *get_call_name(const struct kt_event *event)
{
	enum kt_side side;

	return kt_syscall_of(event->system, event->name, &side);
}

bool kt_fd_argument_is(const struct kt_event *call, size_t argument)
{
	static const char *const names[] = {"fd_in",  "fd_out", "fdin", "fdout",
					    "fildes", "mqdes",  NULL};
	const struct kt_field *f = &call->fields[argument];

	if (kt_field_varies(f) || strchr(f->type, '*') || strcmp(f->name, "max_fd") == 0)
		return false;
	/* a descriptor of another process */
	if (strcmp(get_call_name(call), "pidfd_getfd") == 0 && strcmp(f->name, "fd") == 0)
		return false;
	return has_fd_suffix(f->name) || kt_words_contain(names, f->name);
}

bool kt_fd_argument_is_start(const struct kt_event *call, size_t argument)
{
	const struct kt_labels *labels = call->fields[argument].labels;

	return (labels == kt_constants_find("at") || labels == kt_constants_find("at_fanotify")) &&
	       kt_fd_argument_is(call, argument);
}

bool kt_fd_argument_is_returned(const struct kt_event *call)
{
	static const char *const calls[] = {"accept",
					    "accept4",
					    "creat",
					    "dup",
					    "dup2",
					    "dup3",
					    "epoll_create",
					    "epoll_create1",
					    "eventfd",
					    "eventfd2",
					    "fanotify_init",
					    "fcntl",
					    "fsmount",
					    "fsopen",
					    "fspick",
					    "inotify_init",
					    "inotify_init1",
					    "io_uring_setup",
					    "landlock_create_ruleset",
					    "memfd_create",
					    "memfd_secret",
					    "mq_open",
					    "open",
					    "open_by_handle_at",
					    "open_tree",
					    "open_tree_attr",
					    "openat",
					    "openat2",
					    "perf_event_open",
					    "pidfd_getfd",
					    "pidfd_open",
					    "signalfd",
					    "signalfd4",
					    "socket",
					    "timerfd_create",
					    "userfaultfd",
					    NULL};

	return kt_words_contain(calls, get_call_name(call));
}
