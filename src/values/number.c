// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/number.h"

#include <linux/ioctl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "constants/constants.h"
#include "constants/labels.h"
#include "constants/symbols.h"
#include "trace/read/metadata_reader.h"
#include "values/label_forms.h"
#include "values/number_forms.h"
#include "values/text.h"

/* Returns the bits that the trace has of the number. */
static uint64_t mask_number(const struct kt_member *m, uint64_t n)
{
	unsigned int unused = 64 - 8 * m->width;

	return n << unused >> unused;
}

static void put_device(struct kt_text *t, uint64_t n)
{
	char text[KT_NOTATION_MAX];

	kt_text_put(t, text, kt_notation_write_device(n, text));
}

static void put_wait(struct kt_text *t, uint64_t n)
{
	char text[KT_NOTATION_MAX];

	kt_text_put(t, text, kt_notation_write_wait(n, text));
}

/* Prints how a task ended: (exited with 3), (killed by SIGSEGV, core dumped). */
static void put_end(struct kt_text *t, uint64_t n)
{
	struct kt_labelled found;
	int status = n;

	kt_text_char(t, '(');
	if (WIFEXITED(status)) {
		kt_text_string(t, "exited with ");
		kt_text_number(t, WEXITSTATUS(status));
	} else {
		kt_labels_of(kt_constants_find("signal"), WTERMSIG(status), &found);
		kt_text_string(t, "killed by ");
		if (found.n)
			kt_text_string(t, found.text[0]);
		else
			kt_text_number(t, WTERMSIG(status));
		if (WCOREDUMP(status))
			kt_text_string(t, ", core dumped");
	}
	kt_text_char(t, ')');
}

void kt_number_put(struct kt_text *t, const struct kt_member *m, const struct kt_value *v, size_t i)
{
	uint64_t n = kt_value_number(m, v, i);

	if (m->notation == KT_HEX || m->notation == KT_POINTER || m->notation == KT_SIGSET)
		kt_text_hex(t, mask_number(m, n));
	else if (m->notation == KT_OCTAL)
		kt_text_octal(t, mask_number(m, n));
	else if (m->notation == KT_DEVICE)
		put_device(t, n);
	else if (m->notation == KT_WAIT)
		put_wait(t, n);
	else if (m->notation == KT_WORD && !kt_notation_word_is_number(n))
		kt_text_hex(t, n);
	else if (m->is_signed)
		kt_text_signed(t, n);
	else
		kt_text_number(t, n);
}

static void put_names(struct kt_text *t, const struct kt_labelled *names, char between)
{
	size_t i;

	for (i = 0; i < names->n; i++) {
		if (i > 0)
			kt_text_char(t, between);
		kt_text_escaped(t, names->text[i], strlen(names->text[i]));
	}
}

/* Prints the members of a set by number, from 1 on, and by name. */
static void put_numbers(struct kt_text *t, const struct kt_labels *labels, uint64_t set)
{
	const char *blank = "";
	struct kt_labelled found;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		if (!(set >> i & 1))
			continue;
		kt_text_string(t, blank);
		kt_text_number(t, i + 1);
		kt_labels_of(labels, 1ull << i, &found);
		if (found.n && t->names == KT_NAMES_VERBOSE)
			kt_text_comment(t, found.text[0]);
		blank = " ";
	}
}

/* Prints a set as strace does: if most members are in it, the others after a `~`. */
static void put_set(struct kt_text *t, const struct kt_labels *labels, uint64_t set)
{
	enum { MOST = 64 * 2 / 3 };
	bool has_most = __builtin_popcountll(set) >= MOST;
	struct kt_labelled found;

	kt_text_string(t, has_most ? "~[" : "[");
	if (has_most)
		set = ~set;
	kt_labels_of(labels, set, &found);
	if (t->names == KT_NAMES_ABBREV)
		put_names(t, &found, ' ');
	else
		put_numbers(t, labels, set);
	kt_text_char(t, ']');
}

/* Prints a mode, at least three digits: 000. */
static void put_mode(struct kt_text *t, uint64_t n)
{
	if (n < 010)
		kt_text_string(t, n ? "0" : "00");
	kt_text_octal(t, n);
}

/* Prints flags by name, and the bits without one after them; a mode has a rest even if it is 0. */
static void put_flags(struct kt_text *t, const struct kt_member *m, const struct kt_labelled *found)
{
	bool are_permissions = m->notation == KT_OCTAL;
	uint64_t rest = mask_number(m, found->rest);

	put_names(t, found, '|');
	if (!rest && !are_permissions)
		return;
	if (found->n)
		kt_text_char(t, '|');
	if (are_permissions)
		put_mode(t, rest);
	else
		kt_text_hex(t, rest);
}

void kt_number_named(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		     size_t i)
{
	uint64_t n = kt_value_number(m, v, i);
	struct kt_labelled found = {0};

	if (m->labels && m->notation == KT_SIGSET) {
		put_set(t, m->labels, n);
		return;
	}
	if (m->notation == KT_WAIT && (WIFEXITED(n) || WIFSIGNALED(n))) {
		put_end(t, n);
		return;
	}
	if (m->labels)
		kt_labels_of(m->labels, n, &found);
	if (found.n || (found.rest && m->labels->are_flags))
		put_flags(t, m, &found);
	else
		kt_number_put(t, m, v, i);
}

void kt_number_symbol(struct kt_text *t, const struct kt_member *m, const struct kt_value *v)
{
	char text[KT_SYMBOL_MAX];
	size_t len = kt_symbols_write(m->symbols, kt_value_number(m, v, 0), text);

	if (len > 0)
		kt_text_escaped(t, text, len);
	else
		kt_number_put(t, m, v, 0);
}

void kt_number_array(struct kt_text *t, const struct kt_member *m, const struct kt_value *v)
{
	char address[KT_NOTATION_MAX];
	size_t i, len = kt_notation_write(m->notation, v->data, v->n, address);

	if (len) {
		kt_text_put(t, address, len);
		return;
	}
	kt_text_char(t, '{');
	for (i = 0; i < v->n; i++) {
		if (i > 0)
			kt_text_char(t, ',');
		kt_number_put(t, m, v, i);
	}
	kt_text_char(t, '}');
}

/* Prints the number itself: in hex if all its values should have names. */
static void show_number(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
			size_t i)
{
	uint64_t n = mask_number(m, kt_value_number(m, v, i));

	if (m->form && kt_number_form_put(t, m->form, n))
		return;
	if (m->notation == KT_OCTAL)
		put_mode(t, n);
	else if (!n && m->notation == KT_POINTER && !m->labels)
		kt_text_string(t, "NULL");
	else if (m->notation == KT_HEX || m->notation == KT_POINTER ||
		 (m->labels && m->labels->unnamed && !m->labels->is_decimal))
		kt_text_bits(t, n);
	else
		kt_number_put(t, m, v, i);
}

/* Prints the parts of an ioctl request: _IOC(_IOC_READ, 0x54, 0x1, 0x4). */
static void put_request(struct kt_text *t, uint64_t n)
{
	static const char *const directions[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
						 "_IOC_READ|_IOC_WRITE"};

	kt_text_string(t, "_IOC(");
	kt_text_string(t, directions[_IOC_DIR(n)]);
	kt_text_string(t, ", ");
	kt_text_bits(t, _IOC_TYPE(n));
	kt_text_string(t, ", ");
	kt_text_bits(t, _IOC_NR(n));
	kt_text_string(t, ", ");
	kt_text_bits(t, _IOC_SIZE(n));
	kt_text_char(t, ')');
}

/* A number that is its own name, 0xffffffff, has no other. */
static bool has_names(const struct kt_text *t, const struct kt_member *m,
		      const struct kt_labelled *found)
{
	if (found->n && t->names != KT_NAMES_ABBREV && *found->text[0] == '0')
		return false;
	return found->n || (m->labels && m->labels->form == KT_LABELS_REQUESTS);
}

/* Prints what stands for a number that has a name. */
static void show_names(struct kt_text *t, const struct kt_member *m,
		       const struct kt_labelled *found, uint64_t n)
{
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " /* ");
	if (found->n)
		put_flags(t, m, found);
	else
		put_request(t, n);
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " */");
}

void kt_number_show(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		    size_t i)
{
	uint64_t n = kt_value_number(m, v, i);
	struct kt_labelled found = {0};
	bool named;

	if (m->labels && m->notation == KT_SIGSET) {
		put_set(t, m->labels, n);
		return;
	}
	if (m->labels && m->labels->form && kt_label_form_put(t, m->labels, mask_number(m, n)))
		return;
	if (m->labels)
		kt_labels_of(m->labels, n, &found);
	/* a mode of no kind of file is only a number */
	if (m->notation == KT_OCTAL && (found.rest & S_IFMT))
		found.n = 0;
	named = has_names(t, m, &found);
	if (!named || t->names != KT_NAMES_ABBREV)
		show_number(t, m, v, i);
	if (t->names == KT_NAMES_RAW)
		return;
	if (named)
		show_names(t, m, &found, n);
	else if (!found.n && m->labels && m->labels->unnamed && (n || !m->labels->are_flags))
		kt_text_comment(t, m->labels->unnamed);
}
