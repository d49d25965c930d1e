/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes to a trace's files that a fuzzer which knows nothing of words, packets and numbers hardly
 * comes upon. Each returns the new size.
 */
#ifndef KT_FUZZ_CHANGES_H
#define KT_FUZZ_CHANGES_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A packet's head, as trace/stream_writer.c writes it: where these stand, in bits, and how long it
 * is.
 */
enum { TIMES_AT = 24, CONTENT_SIZE_AT = 40, PACKET_SIZE_AT = 48, HEAD_SIZE = 64 };

static inline uint64_t word_at(const uint8_t *bytes, size_t at)
{
	uint64_t word;

	memcpy(&word, bytes + at, sizeof(word));
	return word;
}

static inline void put_word(uint8_t *bytes, size_t at, uint64_t word)
{
	memcpy(bytes + at, &word, sizeof(word));
}

static inline uint64_t other_word(const uint8_t *bytes, size_t n, uint64_t word, unsigned int *seed)
{
	switch (rand_r(seed) % 6) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return word ^ 1ull << rand_r(seed) % 64;
	case 3:
		return word + rand_r(seed) % 129 - 64;
	case 4:
		return word_at(bytes, 8 * (rand_r(seed) % n));
	default:
		return rand_r(seed);
	}
}

/* Where a packet begins: any one but for the last with one chance in two. */
static inline size_t any_packet(const uint8_t *bytes, size_t size, unsigned int *seed)
{
	size_t at = 0, len;

	while (size - at >= HEAD_SIZE && rand_r(seed) % 2) {
		len = word_at(bytes, at + PACKET_SIZE_AT) / 8;
		if (len < HEAD_SIZE || len >= size - at)
			break;
		at += len;
	}
	return at;
}

static inline void change_words_of(uint8_t *bytes, size_t size, size_t at, size_t end,
				   unsigned int *seed)
{
	size_t n = (end - at) / 8, left, word;

	for (left = 1 + rand_r(seed) % 3; n > 0 && left > 0; left--) {
		word = at + 8 * (rand_r(seed) % n);
		put_word(bytes, word, other_word(bytes, size / 8, word_at(bytes, word), seed));
	}
}

/* One to three words: times, sizes and losses in one packet's head, or wherever they are. */
static inline size_t change_words(uint8_t *bytes, size_t size, unsigned int *seed)
{
	size_t at = any_packet(bytes, size, seed);

	if (rand_r(seed) % 2 && size - at >= HEAD_SIZE)
		change_words_of(bytes, size, at + TIMES_AT, at + HEAD_SIZE, seed);
	else
		change_words_of(bytes, size, 0, size, seed);
	return size;
}

/* A packet ends earlier, and what was behind is not there to be read, or still is. */
static inline size_t cut_packet(uint8_t *bytes, size_t size, unsigned int *seed)
{
	size_t at = any_packet(bytes, size, seed), len;

	if (size - at < HEAD_SIZE)
		return size;
	len = rand_r(seed) % (size - at + 1);
	put_word(bytes, at + CONTENT_SIZE_AT, 8 * len);
	put_word(bytes, at + PACKET_SIZE_AT, 8 * len);
	return rand_r(seed) % 2 ? at + len : size;
}

/* Where numbers in a trace come to an end: those of tasks, of CPUs, of 4 and 8 bytes, of JSON. */
static const char *const numbers[] = {
	"0",
	"",
	"-1",
	"07",
	"0.5",
	"0x10",
	"256",
	"4194303",
	"4194304",
	"4294967295",
	"4294967296",
	"9223372036854775807",
	"9223372036854775808",
	"18446744073709551615",
	"18446744073709551616",
};

/* One of a text's numbers, or the end of one, becomes one of these. */
static inline size_t change_number(uint8_t *bytes, size_t size, size_t room, unsigned int *seed)
{
	const char *number = numbers[rand_r(seed) % (sizeof(numbers) / sizeof(*numbers))];
	size_t at = size > 0 ? rand_r(seed) % size : 0, end, len = strlen(number);

	while (at < size && !isdigit(bytes[at]))
		at++;
	for (end = at; end < size && isdigit(bytes[end]); end++)
		;
	if (size - (end - at) + len > room)
		return size;
	memmove(bytes + at + len, bytes + end, size - end);
	memcpy(bytes + at, number, len);
	return size - (end - at) + len;
}

#endif
