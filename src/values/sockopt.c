// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/sockopt.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "base/words.h"
#include "constants/constants.h"
#include "constants/labels.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_variants.h"
#include "trace/read/stream_reader.h"
#include "values/struct_parts.h"
#include "values/text.h"

enum {
	N_PARTS = 9,
	NUMBER_SIZE = 4,
	SIZE_MAX_COPIED = 256, /* of a socket option (fetch/pointed_data.c) */
};

/* clang-format off */

#define GROUP \
	{{"imr_multiaddr", 0, 4, KT_PART_IPV4, NULL}, {"imr_interface", 4, 4, KT_PART_IPV4, NULL}, \
	 {"imr_ifindex", 8, 4, KT_PART_SIGNED, NULL}}
#define GROUP6 \
	{{"ipv6mr_multiaddr", 0, 16, KT_PART_IPV6, NULL}, {"ipv6mr_interface", 16, 4, KT_PART_NUMBER, NULL}}
#define LIMIT \
	{{"tv_sec", 0, 8, KT_PART_SIGNED, NULL}, {"tv_usec", 8, 8, KT_PART_SIGNED, NULL}}

#define TTY_OUTPUT \
	"tty_newline tty_return tty_tab tty_backspace tty_vertical tty_form tty_output"
#define TTY \
	{"c_iflag", 0, 4, KT_PART_FLAGS, "tty_input"}, \
	{"c_oflag", 4, 4, KT_PART_FLAGS, TTY_OUTPUT}, \
	{"c_cflag", 8, 4, KT_PART_FLAGS, "tty_speed tty_input_speed tty_size tty_control"}, \
	{"c_lflag", 12, 4, KT_PART_FLAGS, "tty_local"}, \
	{"c_line", 16, 1, KT_PART_HEX, "tty_line"}, \
	{"c_cc", 17, 19, KT_PART_NAMED, "tty_character"}
#define TERMIOS {TTY}
#define TERMIOS2 \
	{TTY, {"c_ispeed", 36, 4, KT_PART_NUMBER, NULL}, {"c_ospeed", 40, 4, KT_PART_NUMBER, NULL}}
#define WINDOW \
	{{"ws_row", 0, 2, KT_PART_NUMBER, NULL}, {"ws_col", 2, 2, KT_PART_NUMBER, NULL}, \
	 {"ws_xpixel", 4, 2, KT_PART_NUMBER, NULL}, {"ws_ypixel", 6, 2, KT_PART_NUMBER, NULL}}
#define DATE \
	{{"tm_sec", 0, 4, KT_PART_SIGNED, NULL}, {"tm_min", 4, 4, KT_PART_SIGNED, NULL}, \
	 {"tm_hour", 8, 4, KT_PART_SIGNED, NULL}, {"tm_mday", 12, 4, KT_PART_SIGNED, NULL}, \
	 {"tm_mon", 16, 4, KT_PART_SIGNED, NULL}, {"tm_year", 20, 4, KT_PART_SIGNED, NULL}, \
	 {"tm_wday", 24, 4, KT_PART_SIGNED, NULL}, {"tm_yday", 28, 4, KT_PART_SIGNED, NULL}, \
	 {"tm_isdst", 32, 4, KT_PART_SIGNED, NULL}}
#define ATTRIBUTES \
	{{"fsx_xflags", 0, 4, KT_PART_FLAGS, "inode_xflags"}, \
	 {"fsx_extsize", 4, 4, KT_PART_NUMBER, NULL}, {"fsx_nextents", 8, 4, KT_PART_NUMBER, NULL}, \
	 {"fsx_projid", 12, 4, KT_PART_HEX, NULL}, {"fsx_cowextsize", 16, 4, KT_PART_NUMBER, NULL}}
#define ATTRIBUTES_TO_SET \
	{{"fsx_xflags", 0, 4, KT_PART_FLAGS, "inode_xflags"}, \
	 {"fsx_extsize", 4, 4, KT_PART_NUMBER, NULL}, \
	 {"fsx_projid", 12, 4, KT_PART_HEX, NULL}, {"fsx_cowextsize", 16, 4, KT_PART_NUMBER, NULL}}
#define CLONE \
	{{"src_fd", 0, 8, KT_PART_SIGNED, NULL}, {"src_offset", 8, 8, KT_PART_NUMBER, NULL}, \
	 {"src_length", 16, 8, KT_PART_NUMBER, NULL}, {"dest_offset", 24, 8, KT_PART_NUMBER, NULL}}
#define TRIM \
	{{"start", 0, 8, KT_PART_HEX, NULL}, {"len", 8, 8, KT_PART_NUMBER, NULL}, \
	 {"minlen", 16, 8, KT_PART_NUMBER, NULL}}

#define HARDWARE \
	{{"mr_ifindex", 0, 4, KT_PART_SIGNED, NULL}, {"mr_type", 4, 2, KT_PART_NUMBER, "packet_member"}, \
	 {"mr_alen", 6, 2, KT_PART_NUMBER, NULL}, {"mr_address", 8, 8, KT_PART_MAC, NULL}}
#define RING \
	{{"tp_block_size", 0, 4, KT_PART_NUMBER, NULL}, {"tp_block_nr", 4, 4, KT_PART_NUMBER, NULL}, \
	 {"tp_frame_size", 8, 4, KT_PART_NUMBER, NULL}, {"tp_frame_nr", 12, 4, KT_PART_NUMBER, NULL}}

/* One number, or a list of numbers without a name. */
#define LONE(size, kind, labels) {{"", 0, size, KT_PART_##kind, labels}}
#define RANGE {{"", 0, 8, KT_PART_NUMBER, NULL}, {"", 8, 8, KT_PART_NUMBER, NULL}}

/*
 * Options whose values of four bytes are not signed numbers: structs, single numbers, and text,
 * which has no parts.
 */
static const struct option {
	const char *name;
	struct kt_struct_part parts[N_PARTS];
} options[] = {
	{"BLKBSZGET", LONE(4, SIGNED, NULL)},
	{"BLKBSZSET", LONE(4, SIGNED, NULL)},
	{"BLKDISCARD", RANGE},
	{"BLKFRAGET", LONE(8, NUMBER, NULL)},
	{"BLKGETSIZE", LONE(8, NUMBER, NULL)},
	{"BLKGETSIZE64", LONE(8, NUMBER, NULL)},
	{"BLKIOMIN", LONE(4, NUMBER, NULL)},
	{"BLKIOOPT", LONE(4, NUMBER, NULL)},
	{"BLKPBSZGET", LONE(4, NUMBER, NULL)},
	{"BLKRAGET", LONE(8, NUMBER, NULL)},
	{"BLKROTATIONAL", LONE(2, NUMBER, NULL)},
	{"BLKSECDISCARD", RANGE},
	{"BLKSECTGET", LONE(2, NUMBER, NULL)},
	{"BLKZEROOUT", RANGE},
	{"FICLONERANGE", CLONE},
	{"FIOQSIZE", LONE(8, SIGNED, NULL)},
	{"FITRIM", TRIM},
	{"FS_IOC32_GETFLAGS", LONE(4, FLAGS, "inode_flags")},
	{"FS_IOC32_GETVERSION", LONE(4, NUMBER, NULL)},
	{"FS_IOC32_SETFLAGS", LONE(4, FLAGS, "inode_flags")},
	{"FS_IOC32_SETVERSION", LONE(4, NUMBER, NULL)},
	{"FS_IOC_FSGETXATTR", ATTRIBUTES},
	{"FS_IOC_FSSETXATTR", ATTRIBUTES_TO_SET},
	{"FS_IOC_GETFLAGS", LONE(4, FLAGS, "inode_flags")},
	{"FS_IOC_GETVERSION", LONE(4, NUMBER, NULL)},
	{"FS_IOC_SETFLAGS", LONE(4, FLAGS, "inode_flags")},
	{"FS_IOC_SETVERSION", LONE(4, NUMBER, NULL)},
	{"IPV6_ADD_MEMBERSHIP", GROUP6},
	{"IPV6_DROP_MEMBERSHIP", GROUP6},
	{"IP_ADD_MEMBERSHIP", GROUP},
	{"IP_DROP_MEMBERSHIP", GROUP},
	{"NS_GET_OWNER_UID", LONE(4, NUMBER, NULL)},
	{"PACKET_ADD_MEMBERSHIP", HARDWARE},
	{"PACKET_DROP_MEMBERSHIP", HARDWARE},
	{"PACKET_RX_RING", RING},
	{"PACKET_TX_RING", RING},
	{"PERF_EVENT_IOC_ID", LONE(8, NUMBER, NULL)},
	{"PERF_EVENT_IOC_PERIOD", LONE(8, NUMBER, NULL)},
	{"RTC_ALM_READ", DATE},
	{"RTC_ALM_SET", DATE},
	{"RTC_RD_TIME", DATE},
	{"RTC_SET_TIME", DATE},
	{"SIOCGSTAMPNS_OLD",
	 {{"tv_sec", 0, 8, KT_PART_SIGNED, NULL}, {"tv_nsec", 8, 8, KT_PART_SIGNED, NULL}}},
	{"SIOCGSTAMP_OLD", LIMIT},
	{"SO_BINDTODEVICE", {}},
	{"SO_LINGER", {{"l_onoff", 0, 4, KT_PART_SIGNED, NULL}, {"l_linger", 4, 4, KT_PART_SIGNED, NULL}}},
	{"SO_PEERCRED",
	 {{"pid", 0, 4, KT_PART_SIGNED, NULL}, {"uid", 4, 4, KT_PART_SIGNED, NULL},
	  {"gid", 8, 4, KT_PART_SIGNED, NULL}}},
	{"SO_RCVTIMEO_NEW", LIMIT},
	{"SO_RCVTIMEO_OLD", LIMIT},
	{"SO_SNDTIMEO_NEW", LIMIT},
	{"SO_SNDTIMEO_OLD", LIMIT},
	{"TCGETS", TERMIOS},
	{"TCGETS2", TERMIOS2},
	{"TCP_CONGESTION", {}},
	{"TCP_ULP", {}},
	{"TCSETS", TERMIOS},
	{"TCSETS2", TERMIOS2},
	{"TCSETSF", TERMIOS},
	{"TCSETSF2", TERMIOS2},
	{"TCSETSW", TERMIOS},
	{"TCSETSW2", TERMIOS2},
	{"TIOCGWINSZ", WINDOW},
	{"TIOCMBIC", LONE(4, FLAGS, "tty_modem")},
	{"TIOCMBIS", LONE(4, FLAGS, "tty_modem")},
	{"TIOCMGET", LONE(4, FLAGS, "tty_modem")},
	{"TIOCMSET", LONE(4, FLAGS, "tty_modem")},
	{"TIOCSWINSZ", WINDOW},
};

/* clang-format on */

const char *kt_sockopt_at(const struct kt_hit *entry, size_t argument)
{
	const struct kt_member *m;
	struct kt_labelled found;
	uint64_t n;

	if (argument == 0)
		return NULL;
	m = kt_metadata_variants_member(&entry->event->fields, entry->values, argument - 1);
	if (!m || !kt_member_is_number(m) || !m->labels || m->labels->are_flags)
		return NULL;
	n = kt_value_number(m, &entry->values[argument - 1], 0);
	kt_labels_of(m->labels, n, &found);
	return found.n ? found.text[0] : NULL;
}

const char *kt_sockopt_copied(const struct kt_hit *hit, size_t copy)
{
	const struct kt_record_layout *fields = &hit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (fields->members[i].pointed == copy)
			return kt_sockopt_at(hit, i);
	return NULL;
}

static const struct option *find_option(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(options) / sizeof(*options); i++)
		if (strcmp(options[i].name, name) == 0)
			return &options[i];
	return NULL;
}

bool kt_sockopt_is_known(const char *name)
{
	return find_option(name);
}

/* Which lengths strace accepts of an option with parts. */
enum length {
	ANY_LENGTH,
	CUT,   /* what the kernel gives may end within a member */
	EXACT, /* what it gets is refused if it is longer */
};

static enum length find_length(const struct option *o)
{
	if (strcmp(o->name, "SO_LINGER") == 0 || strcmp(o->name, "SO_PEERCRED") == 0)
		return CUT;
	return strncmp(o->name, "PACKET_", 7) == 0 ? EXACT : ANY_LENGTH;
}

/*
 * Returns whether strace takes the value as a number of four bytes, whatever its length: so it does
 * at the levels SOL_SOCKET and SOL_NETLINK, but for rows above and these exceptions.
 */
static bool is_number(const char *name)
{
	static const char *const others[] = {
		"NETLINK_LIST_MEMBERSHIPS",
		"SO_ATTACH_BPF",
		"SO_ATTACH_FILTER",
		"SO_ATTACH_REUSEPORT_CBPF",
		"SO_ATTACH_REUSEPORT_EBPF",
		"SO_BINDTOIFINDEX",
		"SO_BPF_EXTENSIONS",
		"SO_BUF_LOCK",
		"SO_COOKIE",
		"SO_DOMAIN",
		"SO_GET_FILTER",
		"SO_MAX_PACING_RATE",
		"SO_MEMINFO",
		"SO_NETNS_COOKIE",
		"SO_PEERGROUPS",
		"SO_PEERNAME",
		"SO_PEERSEC",
		"SO_PROTOCOL",
		"SO_SECURITY_AUTHENTICATION",
		"SO_SECURITY_ENCRYPTION_NETWORK",
		"SO_SECURITY_ENCRYPTION_TRANSPORT",
		"SO_TXTIME",
		"SO_TYPE",
		NULL,
	};

	return name && (strncmp(name, "SO_", 3) == 0 || strncmp(name, "NETLINK_", 8) == 0) &&
	       !find_option(name) && !kt_words_contain(others, name);
}

/* How a value is printed. */
enum form { BYTES, HEXES, NUMBER, LIST, STRUCT };

static enum form find_form(const char *name, const struct kt_value *v, enum kt_copied copied)
{
	const struct option *o = find_option(name);
	struct kt_value first;

	if (o && o->parts->name &&
	    (find_length(o) == CUT || kt_struct_part_find(v, o->parts, &first)))
		return *o->parts->name ? STRUCT : LIST;
	if (o && !o->parts->name)
		return BYTES; /* text */
	if (is_number(name))
		return v->n < NUMBER_SIZE ? HEXES : NUMBER;
	return v->n == NUMBER_SIZE && copied == KT_COPIED_ALL ? NUMBER : BYTES;
}

/* Returns the number of bytes up to the end of the last part. */
static size_t measure(const struct option *o)
{
	const struct kt_struct_part *p = o->parts;
	size_t size = 0;

	for (; p < o->parts + N_PARTS && p->name; p++)
		size = p->at + p->size;
	return size;
}

bool kt_sockopt_is_whole(const char *name, const struct kt_value *v, enum kt_copied copied)
{
	const struct option *o = find_option(name);

	if (o && find_length(o) == EXACT)
		return v->n == measure(o) && copied == KT_COPIED_ALL;
	if (o && find_length(o) == CUT)
		return v->n >= measure(o);
	if (o)
		return v->n >= measure(o) || copied == KT_COPIED_ALL;
	if (is_number(name))
		return v->n >= NUMBER_SIZE;
	return copied == KT_COPIED_ALL || v->n == SIZE_MAX_COPIED;
}

static int32_t read_number(const struct kt_value *v)
{
	return kt_load(v->data, NUMBER_SIZE);
}

/* Returns the name of SO_ERROR's value: that of an error, without the minus that returns have. */
static const char *get_error_name(const char *name, int32_t n)
{
	struct kt_labelled found = {0};

	if (name && strcmp(name, "SO_ERROR") == 0)
		kt_labels_of(kt_constants_find("error"), -(int64_t)n, &found);
	return found.n ? found.text[0] + 1 : NULL;
}

static void put_number(struct kt_text *t, const char *name, int32_t n)
{
	const char *error = get_error_name(name, n);

	kt_text_char(t, '[');
	if (error)
		kt_text_string(t, error);
	else
		kt_text_signed(t, n);
	kt_text_char(t, ']');
}

/* Prints numbers without names. */
static void put_list(struct kt_text *t, const struct option *o, const struct kt_value *v)
{
	const struct kt_struct_part *p = o->parts;
	struct kt_value bytes;

	kt_text_char(t, '[');
	for (; p->name && kt_struct_part_find(v, p, &bytes); p++) {
		if (p > o->parts)
			kt_text_string(t, ", ");
		kt_struct_part_put_value(t, p, &bytes);
	}
	kt_text_char(t, ']');
}

/* Returns the part in which the value ends, or NULL. */
static const struct kt_struct_part *find_cut_part(const struct option *o, const struct kt_value *v)
{
	const struct kt_struct_part *p = o->parts;
	struct kt_value bytes;

	while (p < o->parts + N_PARTS && p->name && kt_struct_part_find(v, p, &bytes))
		p++;
	return p < o->parts + N_PARTS && p->name && v->n > p->at ? p : NULL;
}

static void put_struct(struct kt_text *t, const struct option *o, const struct kt_value *v)
{
	const struct kt_struct_part *cut = find_cut_part(o, v);
	const char *before;

	kt_text_char(t, '{');
	before = kt_struct_part_put_all(t, "", o->parts, N_PARTS, v);
	if (cut)
		kt_text_string(t, before);
	if (cut && find_length(o) == CUT) {
		kt_text_string(t, cut->name);
		kt_text_char(t, '=');
		kt_text_quoted_in_hex(t, v->data + cut->at, v->n - cut->at);
	} else if (cut) {
		kt_text_string(t, "...");
	}
	kt_text_char(t, '}');
}

void kt_sockopt_put(struct kt_text *t, const char *name, const struct kt_value *v,
		    enum kt_copied copied)
{
	const struct option *o = find_option(name);
	enum form form = find_form(name, v, copied);

	if (form == STRUCT)
		put_struct(t, o, v);
	else if (form == LIST)
		put_list(t, o, v);
	else if (form == NUMBER)
		put_number(t, name, read_number(v));
	else if (form == HEXES)
		kt_text_quoted_in_hex(t, v->data, v->n);
	else
		kt_text_quoted_cut(t, v->data, v->n, copied == KT_COPIED_PART);
}

/* Makes a list; a single number is none. */
static struct json_object *make_list(const struct option *o, const struct kt_value *v)
{
	struct json_object *array;
	const struct kt_struct_part *p = o->parts;
	struct kt_value bytes;
	bool is_whole;

	kt_struct_part_find(v, p, &bytes);
	if (!p[1].name)
		return kt_struct_part_object(p, &bytes);
	array = json_object_new_array();
	is_whole = array;
	for (; is_whole && p->name && kt_struct_part_find(v, p, &bytes); p++)
		is_whole = kt_json_append(array, kt_struct_part_object(p, &bytes));
	if (is_whole)
		return array;
	json_object_put(array);
	return NULL;
}

static struct json_object *make_struct(const struct option *o, const struct kt_value *v)
{
	struct json_object *made = json_object_new_object();

	if (kt_struct_part_add_all(made, o->parts, N_PARTS, v))
		return made;
	json_object_put(made);
	return NULL;
}

struct json_object *kt_sockopt_object(const char *name, const struct kt_value *v,
				      enum kt_copied copied)
{
	const struct option *o = find_option(name);
	enum form form = find_form(name, v, copied);
	struct kt_value first;

	if (form == STRUCT && kt_struct_part_find(v, o->parts, &first))
		return make_struct(o, v);
	if (form == LIST)
		return make_list(o, v);
	if (form == NUMBER)
		return json_object_new_int64(read_number(v));
	return kt_json_bytes(v->data, v->n, copied == KT_COPIED_PART);
}
