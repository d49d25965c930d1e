// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/pointed_fields.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "constants/constants.h"
#include "ctypes/struct_layout.h"
#include "events/event.h"
#include "fetch/argument_pointers.h"
#include "fetch/fd_arguments.h"
#include "fetch/nested_pointers.h"
#include "fetch/pointed_data.h"

/* All copies of fixed size together: that leaves room for text in the smallest rings. */
enum { COUNTED_MAX = 448 };

const struct kt_event *kt_pointed_fields_call(const struct kt_event *event)
{
	return event->call ? event->call : event;
}

static int add_structs(struct kt_event *event, const char *name, const char *pointer,
		       struct kt_btf *btf)
{
	struct kt_struct_layout *of;
	char type[KT_POINTED_TYPE_MAX];

	kt_pointed_type(pointer, type);
	of = kt_struct_layout_new(btf, type);
	return of ? kt_event_add_structs(event, name, of) : -ENOMEM;
}

static int add_copy(struct kt_event *event, const struct kt_field *argument,
		    const struct kt_pointed_data *p, struct kt_btf *btf)
{
	char name[KT_POINTED_DATA_NAME_MAX];

	kt_pointed_data_name(argument->name, name);
	if (p->kind == KT_POINTED_STRING || p->kind == KT_POINTED_FILE)
		return kt_event_add_text(event, name);
	if (p->kind == KT_POINTED_BYTES)
		return kt_event_add_bytes(event, name, KT_BYTES);
	if (p->kind == KT_POINTED_ADDRESS)
		return kt_event_add_bytes(event, name, KT_SOCKADDR);
	if (p->kind == KT_POINTED_SIGINFO)
		return kt_event_add_bytes(event, name, KT_SIGINFO);
	if (p->kind == KT_POINTED_OPTION || p->kind == KT_POINTED_REQUEST)
		return kt_event_add_bytes(event, name, KT_OPTION);
	if (p->kind == KT_POINTED_STRINGS)
		return kt_event_add_bytes(event, name, KT_STRINGS);
	if (p->kind == KT_POINTED_STRUCTS || p->kind == KT_POINTED_PADDED)
		return add_structs(event, name, p->pointer ? p->pointer->type : argument->type,
				   btf);
	return kt_event_add_numbers(event, name, &p->type, p->base,
				    p->constants ? kt_constants_find(p->constants) : NULL);
}

/* Adds the buffers that the last field, the argument's copy, points to. */
static int add_buffers(struct kt_event *event, const struct kt_field *argument, struct kt_btf *btf)
{
	char name[KT_POINTED_DATA_NAME_MAX], type[KT_POINTED_TYPE_MAX];

	kt_pointed_type(argument->type, type);
	if (kt_nested_pointers_is_there(type, btf))
		return kt_nested_pointers_add_all(event, btf);
	return kt_event_add_bytes(event, kt_pointed_data_buffers_name(argument->name, name),
				  KT_BUFFERS);
}

static int add_number(struct kt_event *event, const char *name)
{
	const struct kt_field field = {
		.name = name, .type = "int", .size = 4, .width = 4, .flags = KT_FIELD_SIGNED};

	return kt_event_add_field(event, &field);
}

static int add_list_count(struct kt_event *event, const struct kt_field *argument)
{
	char name[KT_POINTED_DATA_NAME_MAX];

	return add_number(event, kt_pointed_data_count_name(argument->name, name));
}

/* Returns whether the call writes directory entries there, which are only counted. */
static bool has_entries(const struct kt_field *argument)
{
	return strcmp(argument->type, "struct linux_dirent *") == 0 ||
	       strcmp(argument->type, "struct linux_dirent64 *") == 0;
}

/* Returns whether the event has data that the call sends or receives through that descriptor. */
static bool is_socket(const struct kt_event *event, const struct kt_field *argument)
{
	static const char *const calls[][KT_SIDES] = {
		[KT_ENTER] = {"sendmsg", "sendto"}, [KT_EXIT] = {"recvfrom", "recvmsg"}};
	enum kt_side side;
	const char *call = kt_syscall_of(event->system, event->name, &side);

	return call && !event->no_data && strcmp(argument->name, "fd") == 0 &&
	       (strcmp(calls[side][0], call) == 0 || strcmp(calls[side][1], call) == 0);
}

/* A return's own event does not have the numbers of elements. */
static int add_count(struct kt_event *event, const struct kt_field *argument,
		     const struct kt_pointed_data *p)
{
	const struct kt_event *call = event->call;
	char name[KT_POINTED_DATA_NAME_MAX];

	if (is_socket(event, argument))
		return add_number(event, kt_pointed_data_socket_name(argument->name, name));
	if (call && has_entries(argument))
		return add_list_count(event, argument);
	if (!call)
		return kt_pointed_data_is_list(argument) ? add_list_count(event, argument) : 0;
	if (!p->at[KT_EXIT] || !p->count || p->returned || p->n ||
	    kt_event_field(event, call->fields[p->count].name))
		return 0;
	return kt_event_add_field(event, &call->fields[p->count]);
}

int kt_pointed_fields_add_all(struct kt_event *event, struct kt_btf *btf)
{
	const struct kt_event *call = kt_pointed_fields_call(event);
	size_t i, n = call->n_fields, size, room = COUNTED_MAX;
	enum kt_side side = event->call ? KT_EXIT : KT_ENTER;
	char name[KT_POINTED_DATA_NAME_MAX];
	struct kt_pointed_data p;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++) {
		p = kt_pointed_data_of(call, i, btf);
		ret = add_count(event, &call->fields[i], &p);
	}
	for (i = 0; i < n && ret == 0; i++) {
		p = kt_pointed_data_of(call, i, btf);
		size = p.n * p.size;
		if (!p.kind || !p.at[side] || size > room)
			continue;
		room -= size;
		ret = add_copy(event, &call->fields[i], &p, btf);
		if (ret == 0 && p.leads[side])
			ret = add_buffers(event, &call->fields[i], btf);
	}
	if (ret == 0 && event->call && event->paths && kt_fd_argument_is_returned(call))
		ret = kt_event_add_text(event, kt_pointed_data_name("ret", name));
	return ret;
}

size_t kt_pointed_fields_find(const struct kt_event *event, const char *argument)
{
	char name[KT_POINTED_DATA_NAME_MAX];
	size_t i;

	kt_pointed_data_name(argument, name);
	for (i = 0; i < event->n_fields; i++)
		if (strcmp(event->fields[i].name, name) == 0)
			break;
	return i;
}
