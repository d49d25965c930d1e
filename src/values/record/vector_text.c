// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/record/vector_text.h"

#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "values/netlink/netlink.h"
#include "values/number.h"
#include "values/text.h"

uint64_t kt_pointer_within(const struct kt_hit *hit, size_t copy)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	const struct kt_member *m = &fields->members[copy];

	return m->in && hit->values[m->in].n == 1
		       ? kt_record_layout_number(fields->members[m->in].of, hit->values[m->in].data,
						 m->by)
		       : 0;
}

/* Returns the pointer to a copy; 0 if the hit does not have it. */
static uint64_t find_pointer(const struct kt_hit *hit, size_t copy)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	size_t i;

	if (fields->members[copy].in)
		return kt_pointer_within(hit, copy);
	for (i = 0; i < copy; i++)
		if (fields->members[i].pointed == copy)
			return kt_value_number(&fields->members[i], &hit->values[i], 0);
	return 0;
}

uint64_t kt_unreadable_element(const struct kt_hit *hit, size_t copy, size_t n)
{
	enum { PAGE = 4096 };
	const struct kt_member *m = &hit->event->fields.members[copy];
	uint64_t pointer = find_pointer(hit, copy), next = pointer + n * m->width;

	if (!pointer || n < hit->values[copy].n)
		return 0;
	return (next - 1) / PAGE == (next + m->width - 1) / PAGE ? 0 : next;
}

/* Prints a buffer, or its address if it is unknown or NULL. */
static void put_buffer(struct kt_text *t, const struct kt_member *m, const struct kt_value *pointer,
		       const struct kt_buffer *buffer, int netlink)
{
	if (!kt_is_copied(buffer->copied) || !kt_value_number(m, pointer, 0))
		kt_number_show(t, m, pointer, 0);
	else if (netlink >= 0)
		kt_netlink_put(t, netlink, &buffer->value, buffer->copied == KT_COPIED_PART);
	else
		kt_text_quoted_cut(t, buffer->value.data, buffer->value.n,
				   buffer->copied == KT_COPIED_PART);
}

void kt_vector_put(struct kt_text *t, const struct kt_hit *hit, size_t structs, size_t n,
		   enum kt_copied copied)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	struct kt_buffers b = kt_buffers_of(fields, hit->values, structs);
	const struct kt_member *m = b.of->members;
	struct kt_value at = {b.structs->data, 1};
	int netlink = kt_netlink_protocol(hit, fields->members[structs].buffers);
	struct kt_buffer next;

	kt_text_char(t, '[');
	while (b.i < n && kt_buffers_next(&b, &next)) {
		kt_text_separator(t, b.i - 1);
		kt_text_char(t, '{');
		kt_text_string(t, m[0].name);
		kt_text_char(t, '=');
		put_buffer(t, &m[0], &at, &next, netlink);
		at.data += m[0].width;
		kt_text_string(t, ", ");
		kt_text_string(t, m[1].name);
		kt_text_char(t, '=');
		kt_number_show(t, &m[1], &at, 0);
		at.data += m[1].width;
		kt_text_char(t, '}');
	}
	if (copied == KT_COPIED_PART)
		kt_text_rest(t, n, kt_unreadable_element(hit, structs, n));
	kt_text_char(t, ']');
}
