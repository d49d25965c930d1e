// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/printf_value.h"

#include <stdbool.h>
#include <string.h>

#include "trace/print/print_format.h"
#include "values/text.h"

enum { DIGITS_MAX = 22, ADDRESS_DIGITS = 16 };

/* Parts of a number, in the order of printing. */
struct parts {
	char sign[2];
	const char *prefix;
	size_t zeros;
	char digits[DIGITS_MAX + 1];
	size_t n_digits;
};

static void set_digits(struct parts *p, uint64_t n, char kind)
{
	const char *letters = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	bool is_decimal = kind == 'd' || kind == 'u';
	unsigned int bits = kind == 'o' ? 3 : 4;
	char *at = p->digits + DIGITS_MAX;

	do {
		*--at = is_decimal ? (char)('0' + n % 10) : letters[n & ((1 << bits) - 1)];
		n = is_decimal ? n / 10 : n >> bits;
	} while (n);
	p->n_digits = p->digits + DIGITS_MAX - at;
	memmove(p->digits, at, p->n_digits);
}

static void set_sign(struct parts *p, const struct kt_print_conversion *as, bool is_negative)
{
	if (is_negative)
		p->sign[0] = '-';
	else if (as->plus)
		p->sign[0] = '+';
	else if (as->blank)
		p->sign[0] = ' ';
}

/* The kernel prints 0x0 where C prints 0. */
static const char *get_prefix(const struct kt_print_conversion *as, uint64_t n)
{
	if (!as->prefix)
		return "";
	if (as->kind == 'o')
		return n ? "0" : "";
	return as->kind == 'x' ? "0x" : as->kind == 'X' ? "0X" : "";
}

static struct parts split_number(const struct kt_print_conversion *as, uint64_t n)
{
	unsigned int unused = 64 - as->bits;
	struct parts p = {0};
	int64_t with_sign = (int64_t)(n << unused) >> unused;

	n = n << unused >> unused;
	if (as->kind == 'd') {
		set_sign(&p, as, with_sign < 0);
		if (with_sign < 0)
			n = -(uint64_t)with_sign;
	}
	p.prefix = get_prefix(as, n);
	set_digits(&p, n, as->kind);
	if (as->precision > 0 && (size_t)as->precision > p.n_digits)
		p.zeros = as->precision - p.n_digits;
	return p;
}

static size_t count_padding(const struct kt_print_conversion *as, size_t len)
{
	return as->width > 0 && (size_t)as->width > len ? as->width - len : 0;
}

static void put_number(struct kt_text *t, const struct kt_print_conversion *as, uint64_t n)
{
	struct parts p = split_number(as, n);
	size_t len = strlen(p.sign) + strlen(p.prefix) + p.zeros + p.n_digits;
	size_t rest = count_padding(as, len);

	if (!as->left && !as->zero)
		kt_text_fill(t, rest, ' ');
	kt_text_string(t, p.sign);
	kt_text_string(t, p.prefix);
	kt_text_fill(t, p.zeros + (!as->left && as->zero ? rest : 0), '0');
	kt_text_put(t, p.digits, p.n_digits);
	if (as->left)
		kt_text_fill(t, rest, ' ');
}

void kt_printf_value_number(struct kt_text *t, const struct kt_print_conversion *as, uint64_t n)
{
	struct kt_print_conversion address = *as;

	if (as->kind != 'p') {
		put_number(t, as, n);
		return;
	}
	address.kind = 'x';
	if (as->width < 0) {
		address.width = ADDRESS_DIGITS;
		address.zero = true;
	}
	put_number(t, &address, n);
}

void kt_printf_value_text(struct kt_text *t, const struct kt_print_conversion *as, const char *s,
			  size_t n)
{
	if (as->precision >= 0 && (size_t)as->precision < n)
		n = as->precision;
	if (!as->left)
		kt_text_fill(t, count_padding(as, n), ' ');
	kt_text_escaped(t, s, n);
	if (as->left)
		kt_text_fill(t, count_padding(as, n), ' ');
}
