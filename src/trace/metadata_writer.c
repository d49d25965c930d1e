// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/metadata_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/time_span.h"
#include "base/uuid.h"
#include "base/write_all.h"
#include "bpf/callstacks.h"
#include "bpf/ring_layout.h"
#include "events/event.h"
#include "events/filter.h"
#include "ring/rings.h"
#include "session/trace_source.h"
#include "trace/metadata_fields.h"
#include "trace/trace_directory.h"
#include "trace/tsdl_lexer.h"

/* TSDL lays out a struct from its first field on, a word from its low bits on. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the header's two halves in their order");
_Static_assert(KT_TIME_SHIFT == 16, "the size of id below");

/* The packet's header is struct header of trace/stream_writer.c, the event's is struct kt_record.
 */
static const char stream[] = "\tpacket.context := struct {\n"
			     "\t\tu16 cpu_id;\n"
			     "\t\ttime64 timestamp_begin;\n"
			     "\t\ttime64 timestamp_end;\n"
			     "\t\tu64 content_size;\n"
			     "\t\tu64 packet_size;\n"
			     "\t\tu64 events_discarded;\n"
			     "\t};\n"
			     "\tevent.header := struct {\n"
			     "\t\tu16 id;\n"
			     "\t\ttime48 timestamp;\n"
			     "\t} align(64);\n"
			     "\tevent.context := struct {\n"
			     "\t\ttask32 _tid;\n"
			     "\t};\n"
			     "};\n";

static void write_string(FILE *f, const char *name, const char *s)
{
	fprintf(f, "\t%s = ", name);
	kt_tsdl_quote(f, s);
	fputs(";\n", f);
}

static void write_uuid(FILE *f, const uint8_t uuid[16])
{
	char text[KT_UUID_LEN + 1];

	kt_uuid_format(uuid, text);
	write_string(f, "uuid", text);
}

static void write_trace(FILE *f, const struct kt_metadata_writer *m)
{
	fputs("trace {\n"
	      "\tmajor = 1;\n"
	      "\tminor = 8;\n"
	      "\tbyte_order = le;\n",
	      f);
	write_uuid(f, m->uuid);
	fputs("\tpacket.header := struct {\n"
	      "\t\tinteger { size = 32; align = 8; signed = false; } magic;\n"
	      "\t\tinteger { size = 8; align = 8; signed = false; } uuid[16];\n"
	      "\t\tinteger { size = 16; align = 8; signed = false; } stream_id;\n"
	      "\t};\n"
	      "};\n\n",
	      f);
}

/* Writes the filter that kept hits of an event out of the trace. */
static void write_filter(FILE *f, const struct kt_metadata_writer *m, size_t i)
{
	struct kt_time_span complete = m->complete ? m->complete[i] : KT_ALWAYS;
	char name[32];

	if (m->events[i]->filter) {
		snprintf(name, sizeof(name), "filter_%zu", i);
		write_string(f, name, m->events[i]->filter->written);
	}
	if (complete.from != KT_ALWAYS.from)
		fprintf(f, "\tcomplete_from_%zu = %" PRIu64 ";\n", i, complete.from);
	if (complete.until != KT_ALWAYS.until)
		fprintf(f, "\tcomplete_until_%zu = %" PRIu64 ";\n", i, complete.until);
}

/* Writes the event's print fmt. */
static void write_print(FILE *f, const struct kt_metadata_writer *m, size_t i)
{
	char name[32];

	if (!m->events[i]->print)
		return;
	snprintf(name, sizeof(name), "print_%zu", i);
	write_string(f, name, m->events[i]->print);
}

static void write_selection(FILE *f, const struct kt_metadata_writer *m)
{
	size_t i;

	write_string(f, "recorded_tasks", m->follows ? "followed" : "all");
	for (i = 0; i < m->n_events; i++) {
		write_filter(f, m, i);
		write_print(f, m, i);
	}
}

/* Writes frozen_by, frozen_where and frozen_hit, or the same for another action of a trigger. */
static void write_occasion(FILE *f, const char *done, const struct kt_occasion *o)
{
	char name[32];

	if (!o->hit)
		return;
	if (o->system) {
		fprintf(f, "\t%s_by = \"%s:%s\";\n", done, o->system, o->event);
		snprintf(name, sizeof(name), "%s_where", done);
		if (o->filter)
			write_string(f, name, o->filter);
	}
	fprintf(f, "\t%s_hit = %" PRIu64 ";\n", done, o->hit);
}

static void write_provenance(FILE *f, const struct kt_provenance *p)
{
	if (p->session)
		write_string(f, "trace_name", p->session);
	write_occasion(f, "frozen", &p->frozen);
	if (p->frozen.hit)
		fprintf(f, "\tfrozen_at = %" PRIu64 ";\n", p->frozen_at);
	write_occasion(f, "taken", &p->taken);
	if (p->clock_set)
		fprintf(f, "\tclock_set = %" PRId64 ";\n", p->clock_set);
}

static void write_env(FILE *f, const struct kt_metadata_writer *m)
{
	fputs("env {\n", f);
	write_string(f, "hostname", m->host.nodename);
	write_string(f, "domain", "kernel");
	write_string(f, "sysname", m->host.sysname);
	write_string(f, "kernel_release", m->host.release);
	write_string(f, "kernel_version", m->host.version);
	write_string(f, "machine", m->host.machine);
	write_string(f, "tracer_name", "ktrace");
	write_string(f, "tracer_version", m->version);
	write_provenance(f, &m->from);
	write_selection(f, m);
	fputs("};\n\n", f);
}

static void write_clock(FILE *f, const struct kt_metadata_writer *m)
{
	const int64_t second = 1000000000;
	int64_t s = m->since_1970 / second, ns = m->since_1970 % second;

	if (ns < 0) {
		ns += second;
		s--;
	}
	fputs("clock {\n"
	      "\tname = monotonic;\n"
	      "\tdescription = \"CLOCK_MONOTONIC\";\n",
	      f);
	write_uuid(f, m->boot);
	fprintf(f,
		"\tfreq = 1000000000;\n"
		"\toffset_s = %lld;\n"
		"\toffset = %lld;\n"
		"};\n\n",
		(long long)s, (long long)ns);
}

/* Declares the ids of stacks (bpf/callstacks.h). */
static void write_context(FILE *f, const struct kt_event *e)
{
	enum kt_callstack_kind kind;

	if (!e->stacks)
		return;
	fputs("\tcontext := struct {\n", f);
	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		if (e->stacks & KT_CALLSTACK_BIT(kind))
			fprintf(f, "\t\tu64 _%s;\n", kt_callstack_name(kind));
	fputs("\t};\n", f);
}

static void write_event(FILE *f, const struct kt_event *e, size_t id)
{
	char name[KT_EVENT_NAME_MAX];

	snprintf(name, sizeof(name), "%s:%s", e->system, e->name);
	fputs("\nevent {\n", f);
	write_string(f, "name", name);
	fprintf(f, "\tid = %zu;\n\tstream_id = %d;\n", id, e->channel);
	write_context(f, e);
	fputs("\tfields := struct {\n", f);
	kt_metadata_declare_fields(f, e);
	fputs("\t};\n};\n", f);
}

static int report_error(int code, struct kt_error *err)
{
	return kt_fail(err, code, "metadata: %s", strerror(code));
}

int kt_metadata_writer_print(const struct kt_metadata_writer *m, FILE *f, struct kt_error *err)
{
	size_t i;

	if (m->n_events > KT_EVENTS_MAX)
		return kt_fail(err, E2BIG, "%zu events are more than the %d that a trace can tell",
			       m->n_events, KT_EVENTS_MAX);
	fputs("/* CTF 1.8 */\n\n", f);
	write_trace(f, m);
	write_env(f, m);
	write_clock(f, m);
	kt_metadata_declare_types(f, m->symbols, m->tasks);
	if (kt_metadata_declare_named(f, m->events, m->n_events) < 0)
		return report_error(ENOMEM, err);
	for (i = 0; i <= m->has_rare; i++)
		fprintf(f, "\nstream {\n\tid = %zu;\n%s", i, stream);
	for (i = 0; i < m->n_events; i++)
		write_event(f, m->events[i], i);
	return 0;
}

/* Writes the file and closes it. */
static int write_file(const struct kt_metadata_writer *m, int fd, struct kt_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int ret;

	if (!f) {
		close(fd);
		return report_error(ENOMEM, err);
	}
	ret = kt_metadata_writer_print(m, f, err);
	if (fclose(f) == EOF && ret == 0)
		ret = report_error(ENOMEM, err);
	if (ret == 0) {
		ret = kt_write_all(fd, &(struct iovec){text, size}, 1);
		if (ret < 0)
			report_error(-ret, err);
	}
	free(text);
	if (close(fd) < 0 && ret == 0)
		ret = report_error(errno, err);
	return ret;
}

int kt_metadata_writer_write(const struct kt_metadata_writer *m, int dir, struct kt_error *err)
{
	int fd = openat(dir, "metadata", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return report_error(errno, err);
	if (write_file(m, fd, err) < 0) {
		unlinkat(dir, "metadata", 0);
		return -err->code;
	}
	return 0;
}

int kt_metadata_writer_replace(const struct kt_metadata_writer *m, int dir, struct kt_error *err)
{
	static const char draft[] = KT_TRACE_DIRECTORY_DRAFT;
	int ret, ktrace, fd = kt_trace_directory_add(dir, draft);

	if (fd < 0)
		return report_error(-fd, err);
	ret = write_file(m, fd, err);
	ktrace = kt_trace_directory_open_ktrace(dir);
	if (ktrace < 0)
		return report_error(-ktrace, err);
	if (ret == 0 && renameat(ktrace, draft, dir, "metadata") < 0)
		ret = report_error(errno, err);
	if (ret < 0)
		unlinkat(ktrace, draft, 0);
	close(ktrace);
	return ret;
}

static int read_uuid(const char *path, uint8_t uuid[16], struct kt_error *err)
{
	char text[37] = "";
	FILE *f = fopen(path, "re");

	if (!f)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	text[fread(text, 1, 36, f)] = '\0';
	fclose(f);
	return kt_uuid_parse(text, uuid) ? 0 : kt_fail(err, EPROTO, "%s holds no uuid", path);
}

struct kt_metadata_writer kt_metadata_writer_of(const struct kt_trace_source *source,
						const char *version)
{
	return (struct kt_metadata_writer){
		.version = version,
		.follows = source->follows,
		.from = source->from,
		.one_since = source->is_one ? source->began : 0,
		.events = source->events,
		.n_events = source->n_events,
		.has_rare = kt_rings_fd(source->rings, KT_RARE) >= 0,
		.complete = source->complete,
	};
}

/* Makes a UUID of the boot's and the time: version 8 of RFC 9562. */
static void make_uuid(struct kt_metadata_writer *m)
{
	size_t i;

	memcpy(m->uuid, m->boot, sizeof(m->uuid));
	for (i = 0; i < 8; i++)
		m->uuid[8 + i] ^= m->one_since >> (56 - 8 * i);
	m->uuid[6] = 0x80 | (m->uuid[6] & 0x0f);
	m->uuid[8] = 0x80 | (m->uuid[8] & 0x3f);
}

int kt_metadata_writer_fill(struct kt_metadata_writer *m, struct kt_error *err)
{
	int ret = read_uuid("/proc/sys/kernel/random/boot_id", m->boot, err);

	if (ret == 0 && m->one_since)
		make_uuid(m);
	else if (ret == 0)
		ret = read_uuid("/proc/sys/kernel/random/uuid", m->uuid, err);
	if (ret < 0)
		return ret;
	m->since_1970 = kt_clock_since_1970();
	uname(&m->host);
	return 0;
}
