/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutations of a trace's files that need knowledge of packets and numbers: libFuzzer alone rarely
 * finds them. Each function returns the new size.
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
 * The packet header that trace/stream_writer.c writes: byte offsets of its fields, and its size.
 * Sizes in it are in bits.
 */
enum { TIMES_AT = 24, CONTENT_SIZE_AT = 40, PACKET_SIZE_AT = 48, HEAD_SIZE = 64 };

static inline uint64_t get_word(const uint8_t *bytes, size_t at)
{
	uint64_t word;

	memcpy(&word, bytes + at, sizeof(word));
	return word;
}

static inline void put_word(uint8_t *bytes, size_t at, uint64_t word)
{
	memcpy(bytes + at, &word, sizeof(word));
}

static inline uint64_t mutate_word(const uint8_t *bytes, size_t n, uint64_t word,
				   unsigned int *seed)
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
		return get_word(bytes, 8 * (rand_r(seed) % n));
	default:
		return rand_r(seed);
	}
}

/* Returns the offset of a random packet; each further packet has half the chance. */
static inline size_t pick_packet(const uint8_t *bytes, size_t size, unsigned int *seed)
{
	size_t at = 0, len;

	while (size - at >= HEAD_SIZE && rand_r(seed) % 2) {
		len = get_word(bytes, at + PACKET_SIZE_AT) / 8;
		if (len < HEAD_SIZE || len >= size - at)
			break;
		at += len;
	}
	return at;
}

static inline void change_words_in(uint8_t *bytes, size_t size, size_t at, size_t end,
				   unsigned int *seed)
{
	size_t n = (end - at) / 8, left, word;

	for (left = 1 + rand_r(seed) % 3; n > 0 && left > 0; left--) {
		word = at + 8 * (rand_r(seed) % n);
		put_word(bytes, word, mutate_word(bytes, size / 8, get_word(bytes, word), seed));
	}
}

/* Changes one to three 8-byte words, of a packet header or anywhere. */
static inline size_t change_words(uint8_t *bytes, size_t size, unsigned int *seed)
{
	size_t at = pick_packet(bytes, size, seed);

	if (rand_r(seed) % 2 && size - at >= HEAD_SIZE)
		change_words_in(bytes, size, at + TIMES_AT, at + HEAD_SIZE, seed);
	else
		change_words_in(bytes, size, 0, size, seed);
	return size;
}

/* Shortens a packet; the rest of the file is removed, or stays behind it. */
static inline size_t cut_packet(uint8_t *bytes, size_t size, unsigned int *seed)
{
	size_t at = pick_packet(bytes, size, seed), len;

	if (size - at < HEAD_SIZE)
		return size;
	len = rand_r(seed) % (size - at + 1);
	put_word(bytes, at + CONTENT_SIZE_AT, 8 * len);
	put_word(bytes, at + PACKET_SIZE_AT, 8 * len);
	return rand_r(seed) % 2 ? at + len : size;
}

/* Limits of task and CPU numbers, of 4-byte and 8-byte integers, and malformed JSON numbers. */
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

/* Replaces a number in a text, or the end of one, by one of `numbers`. */
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
