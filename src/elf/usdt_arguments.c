// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/usdt_arguments.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is still to parse of an argument. */
struct scan {
	const char *at, *end;
	const struct kt_usdt_symbols *symbols;
};

static void skip_spaces(struct scan *s)
{
	while (s->at < s->end && *s->at == ' ')
		s->at++;
}

static bool take(struct scan *s, char c)
{
	skip_spaces(s);
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

/* Takes a number, in decimal or hexadecimal digits; a sign may precede it. */
static bool take_number(struct scan *s, int64_t *number)
{
	const char *digits = s->at + (s->at < s->end && (*s->at == '-' || *s->at == '+'));
	char *end;

	if (digits >= s->end || !isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*number = *s->at == '-' ? strtoll(s->at, &end, 0) : (int64_t)strtoull(s->at, &end, 0);
	if (errno || end > s->end)
		return false;
	s->at = end;
	return true;
}

/* Returns the length of the word that comes next: a register's or a symbol's name. */
static size_t measure_word(const struct scan *s)
{
	const char *c = s->at;

	while (c < s->end && (isalnum((unsigned char)*c) || strchr("_.$@", *c)))
		c++;
	return c - s->at;
}

static bool take_symbol(struct scan *s, int64_t *address)
{
	size_t n = measure_word(s);
	uint64_t found;

	if (!n || isdigit((unsigned char)*s->at) ||
	    !s->symbols->find(s->symbols->of, s->at, n, &found))
		return false;
	s->at += n;
	*address = found;
	return true;
}

#if defined(__x86_64__)

/* The legacy registers by the two letters that all their names have, with their places. */
static const struct {
	char name[3];
	uint8_t place;
} registers[] = {
	{"ax", 10}, {"bx", 5}, {"cx", 11}, {"dx", 12}, {"si", 13},
	{"di", 14}, {"bp", 4}, {"sp", 19}, {"ip", 16},
};

enum { N_REGISTERS = sizeof(registers) / sizeof(*registers), IP = 16 };

static bool find_register(const char *letters, size_t n, uint8_t *place)
{
	size_t i = 0;

	while (n == 2 && i < N_REGISTERS && memcmp(letters, registers[i].name, 2) != 0)
		i++;
	if (n != 2 || i == N_REGISTERS)
		return false;
	*place = registers[i].place;
	return true;
}

/* "al" and "ah" are bytes of "ax". */
static bool find_byte(const char *word, size_t n, uint8_t *place, uint8_t *first_bit)
{
	char whole[2] = {word[0], 'x'};

	if (n == 3 && word[2] == 'l')
		return find_register(word, 2, place);
	if (n != 2 || (word[1] != 'l' && word[1] != 'h') || !find_register(whole, 2, place))
		return false;
	*first_bit = word[1] == 'h' ? 8 : 0;
	return true;
}

/* "r8" to "r15", with a letter for their lower parts: the places of r15 to r12, then of r11 to r8.
 */
static bool find_numbered(const char *word, size_t n, uint8_t *place)
{
	static const uint8_t places[] = {9, 8, 7, 6, 3, 2, 1, 0};
	unsigned int number = 0;
	size_t i = 1;

	while (i < n && i < 3 && isdigit((unsigned char)word[i]))
		number = 10 * number + (word[i++] - '0');
	if (word[0] != 'r' || number < 8 || number > 15 ||
	    (i < n && (i + 1 != n || !strchr("dwb", word[i]))))
		return false;
	*place = places[number - 8];
	return true;
}

static bool take_register(struct scan *s, uint8_t *place, uint8_t *first_bit)
{
	const char *word;
	size_t n;

	*first_bit = 0;
	if (!take(s, '%'))
		return false;
	word = s->at;
	n = measure_word(s);
	s->at += n;
	if (n < 2)
		return false;
	return find_numbered(word, n, place) || find_register(word, n, place) ||
	       ((word[0] == 'r' || word[0] == 'e') && find_register(word + 1, n - 1, place)) ||
	       find_byte(word, n, place, first_bit);
}

static bool take_scale(struct scan *s, uint8_t *scale)
{
	int64_t factor;

	if (!take(s, ','))
		return true;
	skip_spaces(s);
	if (!take_number(s, &factor) || factor < 1 || factor > 8 || factor & (factor - 1))
		return false;
	*scale = __builtin_ctz(factor);
	return true;
}

/* Takes "(%base,%index,scale)", of which any register may be missing. */
static bool take_registers(struct scan *s, struct kt_usdt_argument *a)
{
	uint8_t ignored;

	if (!take(s, '('))
		return true;
	skip_spaces(s);
	if (s->at < s->end && *s->at == '%' && !take_register(s, &a->base, &ignored))
		return false;
	if (take(s, ',') && (!take_register(s, &a->index, &ignored) || !take_scale(s, &a->scale)))
		return false;
	return take(s, ')') && (a->base != KT_USDT_NO_REGISTER || a->index != KT_USDT_NO_REGISTER);
}

/* Takes the sum of numbers and of one symbol, in any order. */
static bool take_offset(struct scan *s, int64_t *sum, bool *has_symbol)
{
	int64_t number;

	while (s->at < s->end && *s->at != '(') {
		if (*s->at == '+' && s->at + 1 < s->end && !isdigit((unsigned char)s->at[1]))
			s->at++;
		if (!take_number(s, &number)) {
			if (*has_symbol || !take_symbol(s, &number))
				return false;
			*has_symbol = true;
		}
		*sum = (uint64_t)*sum + number;
	}
	return true;
}

/* With an instruction pointer the assembler means a symbol's address. */
static bool take_memory(struct scan *s, struct kt_usdt_argument *a)
{
	bool has_symbol = false;

	a->place = KT_USDT_MEMORY;
	if (s->at == s->end || !take_offset(s, &a->number, &has_symbol) || !take_registers(s, a))
		return false;
	if (a->base != IP)
		return true;
	a->number -= s->symbols->site;
	return has_symbol && a->index == KT_USDT_NO_REGISTER;
}

static bool take_operand(struct scan *s, struct kt_usdt_argument *a)
{
	if (s->at < s->end && *s->at == '$') {
		s->at++;
		a->place = KT_USDT_CONSTANT;
		return take_number(s, &a->number);
	}
	if (s->at < s->end && *s->at == '%') {
		a->place = KT_USDT_REGISTER;
		return take_register(s, &a->base, &a->first_bit);
	}
	return take_memory(s, a);
}

#elif defined(__aarch64__)

enum { SP = 31 };

static bool take_register(struct scan *s, uint8_t *place)
{
	size_t n = measure_word(s);
	unsigned int number = 0, i;

	if (n == 2 && !strncmp(s->at, "sp", n))
		number = SP;
	else if ((n != 2 && n != 3) || (*s->at != 'x' && *s->at != 'w'))
		return false;
	else
		for (i = 1; i < n; i++) {
			if (!isdigit((unsigned char)s->at[i]))
				return false;
			number = 10 * number + (s->at[i] - '0');
		}
	s->at += n;
	*place = number;
	return number <= SP;
}

/* Takes "[x1]", "[x1, 8]" or "[x1, x2]". */
static bool take_memory(struct scan *s, struct kt_usdt_argument *a)
{
	a->place = KT_USDT_MEMORY;
	if (!take(s, '[') || !take_register(s, &a->base))
		return false;
	if (take(s, ',')) {
		skip_spaces(s);
		take(s, '#');
		if (!take_number(s, &a->number) && !take_register(s, &a->index))
			return false;
	}
	return take(s, ']');
}

static bool take_operand(struct scan *s, struct kt_usdt_argument *a)
{
	if (s->at < s->end && *s->at == '[')
		return take_memory(s, a);
	a->place = KT_USDT_CONSTANT;
	if (take_number(s, &a->number))
		return true;
	a->place = KT_USDT_REGISTER;
	return take_register(s, &a->base);
}

#endif

/* Takes "-4@"; old notes have no sizes. Floating-point numbers are not integers of that size. */
static bool take_size(struct scan *s, struct kt_usdt_argument *a)
{
	const char *begin = s->at;
	int64_t size;

	if (!take_number(s, &size) || s->at == s->end || *s->at != '@') {
		s->at = begin;
		return begin == s->end || !memchr(begin, 'f', strcspn(begin, "@ "));
	}
	s->at++;
	a->is_signed = size < 0;
	size = size < 0 ? -size : size;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	a->size = size;
	return true;
}

static struct kt_usdt_argument parse_argument(struct scan *s)
{
	const struct kt_usdt_argument unknown = {
		.size = 8,
		.base = KT_USDT_NO_REGISTER,
		.index = KT_USDT_NO_REGISTER,
	};
	struct kt_usdt_argument a = unknown;

	return take_size(s, &a) && take_operand(s, &a) && s->at == s->end ? a : unknown;
}

/* Returns the end of the argument at text: spaces inside of brackets are part of it. */
static const char *find_end(const char *text)
{
	int depth = 0;

	for (; *text && (*text != ' ' || depth > 0); text++) {
		if (*text == '(' || *text == '[')
			depth++;
		else if (*text == ')' || *text == ']')
			depth--;
	}
	return text;
}

size_t kt_usdt_arguments_parse(const char *text, const struct kt_usdt_symbols *symbols,
			       struct kt_usdt_argument to[KT_USDT_ARGUMENTS_MAX])
{
	struct scan s = {.symbols = symbols};
	size_t n = 0;

	for (text += strspn(text, " "); *text && n < KT_USDT_ARGUMENTS_MAX;
	     text = s.end + strspn(s.end, " ")) {
		s.at = text;
		s.end = find_end(text);
		to[n++] = parse_argument(&s);
	}
	return n;
}
