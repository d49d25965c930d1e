// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/print_fmt_enums.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "ctypes/btf.h"
#include "events/event.h"

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_text(const char *c)
{
	for (c++; *c && *c != '"'; c++)
		if (*c == '\\' && c[1])
			c++;
	return *c ? c + 1 : c;
}

/* Returns whether a word may be an enumerator: it is in capitals, not REC, and not a macro. */
static bool may_be_enumerator(const char *word, size_t len)
{
	size_t i, capitals = 0;

	for (i = 0; i < len; i++) {
		if (islower((unsigned char)word[i]))
			return false;
		capitals += isupper((unsigned char)word[i]) != 0;
	}
	return capitals > 0 && !isdigit((unsigned char)*word) && word[len] != '(' &&
	       !(len == 3 && memcmp(word, "REC", 3) == 0) &&
	       !(len == 4 && memcmp(word, "NULL", 4) == 0);
}

/* Returns the next name from c on, outside of texts; or NULL. */
static const char *find_name(const char *c, size_t *len)
{
	while (*c) {
		if (*c == '"') {
			c = skip_text(c);
			continue;
		}
		if (!is_word_char(*c)) {
			c++;
			continue;
		}
		for (*len = 0; is_word_char(c[*len]); ++*len)
			;
		if (may_be_enumerator(c, *len))
			return c;
		c += *len;
	}
	return NULL;
}

struct names {
	struct kt_enumerator *of;
	size_t n;
};

static int find_names(struct names *names, const char *print)
{
	struct kt_enumerator *of;
	size_t len;

	while ((print = find_name(print, &len))) {
		of = kt_grow(names->of, names->n, sizeof(*of));
		if (!of)
			return -ENOMEM;
		names->of = of;
		of[names->n++] = (struct kt_enumerator){.name = print, .len = len};
		print += len;
	}
	return 0;
}

static char *replace_names(const struct names *names, const char *print)
{
	const struct kt_enumerator *e = names->of, *end = e + names->n;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (; e < end; e++) {
		if (!e->is_known)
			continue;
		fprintf(f, "%.*s%" PRId64, (int)(e->name - print), print, e->value);
		print = e->name + e->len;
	}
	fputs(print, f);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

int kt_print_fmt_resolve_enums(struct kt_event *event, struct kt_btf *btf)
{
	struct kt_error no_types;
	struct names names = {0};
	char *resolved = NULL;
	int ret = event->print ? find_names(&names, event->print) : 0;

	if (ret == 0 && names.n > 0) {
		kt_btf_enumerators(btf, names.of, names.n, &no_types);
		resolved = replace_names(&names, event->print);
		ret = resolved ? 0 : -ENOMEM;
	}
	free(names.of);
	if (resolved) {
		free(event->print);
		event->print = resolved;
	}
	return ret;
}
