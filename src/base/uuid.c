// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/uuid.h"

#include <ctype.h>
#include <stdio.h>

bool kt_uuid_parse(const char *text, uint8_t uuid[16])
{
	unsigned int byte;
	int i;

	for (i = 0; i < 16; i++, text += 2) {
		text += *text == '-';
		if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
			return false;
		sscanf(text, "%2x", &byte);
		uuid[i] = byte;
	}
	return true;
}

void kt_uuid_format(const uint8_t uuid[16], char text[KT_UUID_LEN + 1])
{
	int i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*text++ = '-';
		text += sprintf(text, "%02x", uuid[i]);
	}
}
