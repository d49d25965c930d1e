// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/nested_pointers.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "ctypes/recipe_expr.h"
#include "ctypes/struct_layout.h"
#include "events/event.h"
#include "fetch/pointed_data.h"

/* Ten descriptors take 56 bytes, credentials 32, an address 56. */
enum { CONTROL_MAX = 256 };

/* The members of a message that point to data, and the members with the length or number. */
static const struct lead {
	const char *member, *count;
	enum kt_notation notation;
	size_t max; /* maximum bytes copied; 0: a vector */
} leads[] = {
	{"msg_name", "msg_namelen", KT_SOCKADDR, sizeof(struct sockaddr_storage)},
	{"msg_iov", "msg_iovlen", KT_BUFFERS, 0},
	{"msg_control", "msg_controllen", KT_CONTROL, CONTROL_MAX},
};

enum { N_LEADS = sizeof(leads) / sizeof(*leads) };

bool kt_nested_pointers_is_there(const char *type, struct kt_btf *btf)
{
	return strcmp(type, "struct user_msghdr") == 0 &&
	       kt_struct_layout_size(btf, type) == KT_EXPR_STRUCT_SIZE &&
	       kt_struct_layout_size(btf, "struct iovec") == sizeof(struct iovec);
}

/* Adds an array of struct iovec, and the buffers it points to. */
static int add_vector(struct kt_event *event, const char *member, struct kt_btf *btf)
{
	struct kt_struct_layout *of = kt_struct_layout_new(btf, "struct iovec");
	char name[KT_POINTED_DATA_NAME_MAX];
	int ret = -ENOMEM;

	if (of)
		ret = kt_event_add_structs(event, kt_pointed_data_name(member, name), of);
	if (ret < 0 || event->no_data)
		return ret;
	return kt_event_add_bytes(event, kt_pointed_data_buffers_name(member, name), KT_BUFFERS);
}

int kt_nested_pointers_add_all(struct kt_event *event, struct kt_btf *btf)
{
	char name[KT_POINTED_DATA_NAME_MAX];
	int ret = 0;
	size_t i;

	for (i = 0; i < N_LEADS && ret == 0; i++) {
		if (leads[i].max)
			ret = kt_event_add_bytes(event, kt_pointed_data_name(leads[i].member, name),
						 leads[i].notation);
		else
			ret = add_vector(event, leads[i].member, btf);
	}
	return ret;
}

static const struct kt_field *find_member(const struct kt_struct_layout *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (strcmp(c->fields[i].name, name) == 0)
			return &c->fields[i];
	return NULL;
}

/* Finds the struct of the event that has the member. */
static const struct kt_struct_layout *find_struct(const struct kt_event *event, const char *member)
{
	size_t i;

	for (i = 0; i < event->n_fields; i++)
		if (event->fields[i].of && find_member(event->fields[i].of, member))
			return event->fields[i].of;
	return NULL;
}

static void write_member(FILE *out, const struct kt_struct_layout *c, const char *name)
{
	const struct kt_field *f = find_member(c, name);

	if (f)
		fprintf(out, "%smember(%u, %u)", f->flags & KT_FIELD_SIGNED ? "(int)" : "",
			f->offset, f->size);
}

void kt_nested_pointers_write(FILE *out, const struct kt_event *event, const char *member)
{
	const struct kt_struct_layout *c = find_struct(event, member);
	const struct lead *lead = leads;

	while (lead < leads + N_LEADS && strcmp(lead->member, member) != 0)
		lead++;
	if (!c || lead == leads + N_LEADS)
		return;
	if (lead->max)
		fprintf(out, "upto(%zu, ", lead->max);
	else
		fprintf(out, "array(%zu, ", sizeof(struct iovec));
	write_member(out, c, lead->member);
	fputs(", ", out);
	write_member(out, c, lead->count);
	fputc(')', out);
}
