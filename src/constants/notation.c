// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/notation.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/uuid.h"

static const char *const types[KT_NOTATIONS] = {
	[KT_POINTER] = "pointer64", [KT_DEVICE] = "device32", [KT_WAIT] = "wait32",
	[KT_SIGSET] = "sigset64",   [KT_BITMAP] = "bitmap64", [KT_WORD] = "word64",
	[KT_IPV4] = "ipv4",         [KT_IPV6] = "ipv6",       [KT_MAC] = "mac",
	[KT_SOCKADDR] = "sockaddr", [KT_UUID] = "uuid",       [KT_BYTES] = "byte",
	[KT_STRINGS] = "strings",   [KT_CONTROL] = "control", [KT_OPTION] = "option",
	[KT_SIGINFO] = "siginfo",   [KT_BUFFERS] = "buffers",
};

const char *kt_notation_type(enum kt_notation notation)
{
	return types[notation];
}

enum kt_notation kt_notation_find(const char *type)
{
	size_t i;

	for (i = 0; i < KT_NOTATIONS; i++)
		if (types[i] && strcmp(types[i], type) == 0)
			return i;
	return KT_DECIMAL;
}

size_t kt_notation_width(enum kt_notation notation)
{
	if (notation == KT_POINTER || (notation >= KT_SIGSET && notation <= KT_WORD))
		return sizeof(uint64_t);
	if (notation == KT_DEVICE || notation == KT_WAIT)
		return sizeof(uint32_t);
	return notation >= KT_IPV4 ? 1 : 0;
}

static size_t write_ip(int family, const void *bytes, char text[KT_NOTATION_MAX])
{
	return inet_ntop(family, bytes, text, KT_NOTATION_MAX) ? strlen(text) : 0;
}

static size_t write_mac(const uint8_t *b, char text[KT_NOTATION_MAX])
{
	return snprintf(text, KT_NOTATION_MAX, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2],
			b[3], b[4], b[5]);
}

static size_t write_port(char text[KT_NOTATION_MAX], size_t len, in_port_t port)
{
	return len + snprintf(text + len, KT_NOTATION_MAX - len, ":%u", ntohs(port));
}

static size_t write_sockaddr4(const void *bytes, char text[KT_NOTATION_MAX])
{
	struct sockaddr_in a;

	memcpy(&a, bytes, sizeof(a));
	return write_port(text, write_ip(AF_INET, &a.sin_addr, text), a.sin_port);
}

static size_t write_sockaddr6(const void *bytes, char text[KT_NOTATION_MAX])
{
	struct sockaddr_in6 a;
	size_t len;

	memcpy(&a, bytes, sizeof(a));
	text[0] = '[';
	len = 1 + strlen(inet_ntop(AF_INET6, &a.sin6_addr, text + 1, INET6_ADDRSTRLEN));
	text[len++] = ']';
	return write_port(text, len, a.sin6_port);
}

static size_t write_sockaddr(const void *bytes, size_t n, char text[KT_NOTATION_MAX])
{
	sa_family_t family;

	if (n < sizeof(family))
		return 0;
	memcpy(&family, bytes, sizeof(family));
	if (family == AF_INET && n >= sizeof(struct sockaddr_in))
		return write_sockaddr4(bytes, text);
	return family == AF_INET6 && n >= sizeof(struct sockaddr_in6) ? write_sockaddr6(bytes, text)
								      : 0;
}

static size_t write_uuid(const void *bytes, char text[KT_NOTATION_MAX])
{
	kt_uuid_format(bytes, text);
	return KT_UUID_LEN;
}

size_t kt_notation_write(enum kt_notation notation, const void *bytes, size_t n,
			 char text[KT_NOTATION_MAX])
{
	switch (notation) {
	case KT_IPV4:
		return n == 4 ? write_ip(AF_INET, bytes, text) : 0;
	case KT_IPV6:
		return n == 16 ? write_ip(AF_INET6, bytes, text) : 0;
	case KT_MAC:
		return n == 6 ? write_mac(bytes, text) : 0;
	case KT_SOCKADDR:
		return write_sockaddr(bytes, n, text);
	case KT_UUID:
		return n == 16 ? write_uuid(bytes, text) : 0;
	default:
		return 0;
	}
}

size_t kt_notation_write_device(uint32_t device, char text[KT_NOTATION_MAX])
{
	return snprintf(text, KT_NOTATION_MAX, "%u,%u", device >> 20, device & 0xfffff);
}

/* Returns SIGKILL, or the number of a signal without a name. */
static const char *name_signal(int signal, char name[24])
{
	const char *known = sigabbrev_np(signal);

	if (known)
		snprintf(name, 24, "SIG%s", known);
	else
		snprintf(name, 24, "%d", signal);
	return name;
}

size_t kt_notation_write_wait(uint32_t status, char text[KT_NOTATION_MAX])
{
	char name[24];
	int s = status;

	if (WIFEXITED(s) && s >> 16 == 0)
		return snprintf(text, KT_NOTATION_MAX, "{WIFEXITED(s) && WEXITSTATUS(s) == %d}",
				WEXITSTATUS(s));
	if (WIFSIGNALED(s) && s >> 16 == 0)
		return snprintf(text, KT_NOTATION_MAX, "{WIFSIGNALED(s) && WTERMSIG(s) == %s%s}",
				name_signal(WTERMSIG(s), name),
				WCOREDUMP(s) ? " && WCOREDUMP(s)" : "");
	if (WIFSTOPPED(s) && s >> 16 == 0)
		return snprintf(text, KT_NOTATION_MAX, "{WIFSTOPPED(s) && WSTOPSIG(s) == %s}",
				name_signal(WSTOPSIG(s), name));
	if (WIFCONTINUED(s))
		return snprintf(text, KT_NOTATION_MAX, "{WIFCONTINUED(s)}");
	return snprintf(text, KT_NOTATION_MAX, "0x%x", status);
}
