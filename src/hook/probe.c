// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/probe.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"
#include "hook/bpffs.h"
#include "hook/kernel_function.h"
#include "hook/program.h"
#include "hook/tracepoint.h"
#include "hook/uprobe.h"

static struct kt_program_kind get_kind(const struct kt_event *event)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_TRACEPOINT};

	if (event->point && event->point->function)
		return kt_kernel_function_kind(event);
	if (event->point) {
		kind.type = BPF_PROG_TYPE_KPROBE;
		kind.attach_type = kt_uprobe_attach_type();
	} else if (event->curated) {
		kind.btf_id = event->curated->btf_id;
		kind.type = kind.btf_id ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_RAW_TRACEPOINT;
		kind.attach_type = kind.btf_id ? BPF_TRACE_RAW_TP : 0;
	}
	return kind;
}

const char *kt_probe_kind(const struct kt_event *event)
{
	return kt_program_kind_name(get_kind(event));
}

const char *kt_probe_timer_kind(const struct kt_event *event)
{
	const struct kt_curated *c = event->curated;

	if (!c || !c->takes[KT_BTF_DURATION] || event->point->by_multi)
		return NULL;
	return kt_program_kind_name(c->is_timed_by_session ? kt_kernel_function_session_kind(event)
							   : kt_kernel_function_entry_kind(event));
}

bool kt_probe_is_slow(const struct kt_event *event)
{
	return get_kind(event).type == BPF_PROG_TYPE_TRACEPOINT;
}

static int attach_to_tracepoint(const struct kt_event *event, int program, struct kt_error *err)
{
	if (!event->curated)
		return kt_tracepoint_attach(event->id, program, err);
	return kt_tracepoint_attach_raw(event->curated->btf_id ? NULL : event->name, program, err);
}

static int attach_to_point(const struct kt_point *point, int program, struct kt_links *links,
			   struct kt_probed_processes in, struct kt_error *err)
{
	if (point->function)
		return kt_kernel_function_attach(point, program, links, err);
	return kt_uprobe_attach(point, in.pids, in.n, program, links, err);
}

static int attach_program(struct kt_probe *p, const struct kt_event *event,
			  struct kt_probed_processes in, struct kt_error *err)
{
	int link;

	if (event->point)
		return attach_to_point(event->point, p->program, &p->links, in, err);
	link = attach_to_tracepoint(event, p->program, err);
	return link < 0 ? link : kt_links_add(&p->links, link, err);
}

/* A full name, for messages. */
struct name {
	char text[256];
};

static struct name get_name(const struct kt_event *event)
{
	struct name name;

	snprintf(name.text, sizeof(name.text), "%s:%s", event->system, event->name);
	return name;
}

int kt_probe_load(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		  struct kt_error *err)
{
	*p = KT_NO_PROBE;
	p->program = kt_program_load(get_kind(event), get_name(event).text, code, err);
	return p->program < 0 ? p->program : 0;
}

int kt_probe_load_shared(struct kt_probe *p, struct kt_syscall_dispatch *calls,
			 const struct kt_event *event, struct kt_asm *code, struct kt_error *err)
{
	*p = KT_NO_PROBE;
	p->program =
		kt_syscall_dispatch_load(calls, get_kind(event), get_name(event).text, code, err);
	return p->program < 0 ? p->program : 0;
}

void kt_probe_expect_shared(struct kt_syscall_dispatch *calls, const struct kt_event *event,
			    struct kt_asm *code)
{
	kt_syscall_dispatch_expect(calls, get_kind(event), get_name(event).text, code);
}

int kt_probe_attach(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		    struct kt_error *err)
{
	return kt_probe_attach_in(p, event, code, (struct kt_probed_processes){}, err);
}

int kt_probe_attach_in(struct kt_probe *p, const struct kt_event *event, struct kt_asm *code,
		       struct kt_probed_processes in, struct kt_error *err)
{
	if (kt_probe_load(p, event, code, err) < 0)
		return -err->code;
	if (kt_program_is_shown())
		return 0;
	if (attach_program(p, event, in, err) == 0)
		return 0;
	kt_probe_close(p);
	return -err->code;
}

static struct kt_program_kind get_companion_kind(const struct kt_event *event, enum kt_companion as)
{
	struct kt_program_kind kind;

	if (as == KT_COMPANION_BOTH_ENDS)
		return kt_kernel_function_session_kind(event);
	kind = event->point->function ? kt_kernel_function_entry_kind(event) : get_kind(event);
	kind.sleeps = as == KT_COMPANION_SLEEPS;
	return kind;
}

int kt_probe_attach_companion(struct kt_links *links, const struct kt_event *event,
			      enum kt_companion as, struct kt_asm *code,
			      struct kt_probed_processes in, struct kt_error *err)
{
	struct kt_program_kind kind = get_companion_kind(event, as);
	struct kt_point entry = *event->point;
	int program, ret = 0;

	program = kt_program_load(kind, get_name(event).text, code, err);
	if (program < 0)
		return program;
	entry.is_return = false;
	if (!kt_program_is_shown())
		ret = attach_to_point(&entry, program, links, in, err);
	close(program);
	if (ret < 0)
		kt_links_close(links);
	return ret;
}

int kt_probe_place_call(struct kt_probe *p, struct kt_syscall_dispatch *calls,
			const struct kt_event *event, size_t index, struct kt_error *err)
{
	if (kt_syscall_dispatch_place(calls, event, index, p->program, &p->slot, err) == 0)
		return 0;
	kt_probe_close(p);
	return -err->code;
}

static uint64_t count_missed(const struct kt_links *links, int program)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < links->n; i++)
		sum += kt_link_missed(links->fds[i], program);
	return sum;
}

void kt_probe_detach(struct kt_probe *p)
{
	p->missed += count_missed(&p->links, p->program);
	kt_links_close(&p->links);
	kt_prog_array_slot_leave(&p->slot);
}

/* Writes the path of a pin in one of the two directories. */
static const char *format_path(char path[NAME_MAX + 1], const char *kind, struct kt_probe_name name)
{
	int n = name.has_point
			? snprintf(path, NAME_MAX + 1, "%s/%s:%zu", kind, name.system, name.index)
			: snprintf(path, NAME_MAX + 1, "%s/%s:%s", kind, name.system, name.event);

	if (name.number && n <= NAME_MAX)
		snprintf(path + n, NAME_MAX + 1 - n, ":%u", name.number);
	return path;
}

/* The pin of a link that is not the first one. */
struct more_link {
	char path[NAME_MAX + 24];
};

static struct more_link format_more(struct kt_probe_name name, size_t i)
{
	char path[NAME_MAX + 1];
	struct more_link more;

	snprintf(more.path, sizeof(more.path), "%s+%zu", format_path(path, "link", name), i);
	return more;
}

static int pin_more_links(const struct kt_probe *p, struct kt_probe_name name, int dir,
			  struct kt_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 1; ret == 0 && i < p->links.n; i++)
		ret = kt_bpffs_pin(dir, format_more(name, i).path, p->links.fds[i], err);
	return ret;
}

static void note_detached(const char *path, int dir, struct kt_detached *later)
{
	struct kt_error ignored;
	int link = kt_bpffs_get(dir, path, &ignored);

	if (link < 0)
		return;
	kt_detached_add(later, link);
	close(link);
}

static int unpin_more_links(struct kt_probe_name name, int dir, struct kt_detached *later,
			    struct kt_error *err)
{
	struct more_link more;
	size_t i;
	int ret = 0;

	for (i = 1; ret == 0; i++) {
		more = format_more(name, i);
		if (!kt_bpffs_has(dir, more.path))
			break;
		note_detached(more.path, dir, later);
		ret = kt_bpffs_drop(dir, more.path, err);
	}
	return ret;
}

static int open_directory(const char *kind, int dir, struct kt_error *err)
{
	int made = kt_bpffs_enter(dir, kind, true, err);

	if (made < 0)
		return made;
	close(made);
	return 0;
}

int kt_probe_pin(struct kt_probe *p, struct kt_probe_name name, int dir, struct kt_error *err)
{
	char path[NAME_MAX + 1];

	if (open_directory("program", dir, err) < 0 || open_directory("link", dir, err) < 0 ||
	    kt_bpffs_pin(dir, format_path(path, "program", name), p->program, err) < 0)
		return -err->code;
	if (pin_more_links(p, name, dir, err) < 0)
		return -err->code;
	format_path(path, "link", name);
	return p->links.n ? kt_bpffs_pin(dir, path, p->links.fds[0], err)
			  : kt_prog_array_slot_pin(&p->slot, p->program, path, dir, err);
}

/* The links first: they run the program. */
int kt_probe_unpin(struct kt_probe_name name, int dir, struct kt_detached *later,
		   struct kt_error *err)
{
	char path[NAME_MAX + 1];

	if (unpin_more_links(name, dir, later, err) < 0)
		return -err->code;
	format_path(path, "link", name);
	if (name.has_point)
		note_detached(path, dir, later);
	if (kt_prog_array_slot_unpin(path, dir, err) < 0)
		return -err->code;
	return kt_bpffs_drop(dir, format_path(path, "program", name), err);
}

bool kt_probe_is_pinned(struct kt_probe_name name, int dir, struct kt_prog_array_tables *tables)
{
	char path[NAME_MAX + 1];

	return kt_bpffs_has(dir, format_path(path, "program", name)) &&
	       kt_bpffs_has(dir, format_path(path, "link", name)) &&
	       !kt_prog_array_slot_is_lost(path, dir, tables);
}

uint64_t kt_probe_missed(const struct kt_probe *p)
{
	return kt_program_missed(p->program) + p->missed + count_missed(&p->links, p->program);
}

static uint64_t count_link_missed(const char *path, int dir, int program)
{
	struct kt_error ignored;
	int fd = kt_bpffs_get(dir, path, &ignored);
	uint64_t missed;

	if (fd < 0)
		return 0;
	missed = kt_link_missed(fd, program);
	close(fd);
	return missed;
}

uint64_t kt_probe_pinned_missed(struct kt_probe_name name, int dir)
{
	char path[NAME_MAX + 1];
	struct kt_error ignored;
	int fd = kt_bpffs_get(dir, format_path(path, "program", name), &ignored);
	uint64_t missed;
	size_t i;

	if (fd < 0)
		return 0;
	missed = kt_program_missed(fd);
	if (name.has_point) {
		missed += count_link_missed(format_path(path, "link", name), dir, fd);
		for (i = 1; kt_bpffs_has(dir, format_more(name, i).path); i++)
			missed += count_link_missed(format_more(name, i).path, dir, fd);
	}
	close(fd);
	return missed;
}

void kt_probe_close(struct kt_probe *p)
{
	kt_probe_detach(p);
	if (p->program >= 0)
		close(p->program);
	p->program = -1;
}
