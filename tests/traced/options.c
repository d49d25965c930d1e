// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets and gets socket options: numbers, all known structs, text and other bytes, of right and
 * wrong lengths.
 *
 *	options
 */
#include <linux/filter.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "call.h"

/* With the value's length, and what there is of a longer one. */
static void set(int fd, int level, int name, const void *value, socklen_t n)
{
	call(setsockopt, fd, level, name, value, n);
}

static void get(int fd, int level, int name, socklen_t n)
{
	static char value[4096];

	call(getsockopt, fd, level, name, value, &n);
}

static void try_numbers(int fd)
{
	static const int one = 1, large = 1 << 20, less = -1;
	static const char byte = 1, many[5] = {1, 2, 3, 4, 5};

	set(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
	set(fd, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
	set(fd, SOL_SOCKET, SO_PRIORITY, &less, sizeof less);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, many, sizeof many);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, many, 3);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, many, 0);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, NULL, 4);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, (void *)1, 4);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, &one, -1);
	set(fd, SOL_IP, IP_TTL, &one, sizeof one);
	set(fd, SOL_IP, IP_MULTICAST_TTL, &byte, sizeof byte);
	set(fd, SOL_TCP, TCP_NODELAY, &one, sizeof one);
	get(fd, SOL_SOCKET, SO_TYPE, 4);
	get(fd, SOL_SOCKET, SO_KEEPALIVE, 4);
	get(fd, SOL_SOCKET, SO_PROTOCOL, 99);
	get(fd, SOL_SOCKET, SO_RCVBUF, 2);
	get(fd, SOL_SOCKET, SO_RCVBUF, 0);
	get(fd, SOL_SOCKET, SO_RCVBUF, -1);
	get(fd, SOL_IP, IP_TTL, 4);
	get(fd, SOL_IP, IP_TTL, 1);
	get(fd, SOL_TCP, TCP_MAXSEG, 4);
	get(fd, SOL_TCP, 9999, 4);
	call(getsockopt, fd, SOL_SOCKET, SO_TYPE, room, NULL);
	call(getsockopt, fd, SOL_SOCKET, SO_TYPE, NULL, NULL);
}

static void try_structs(int fd)
{
	static const struct linger linger = {1, 5};
	static const struct timeval soon = {2, 500000};
	socklen_t n;

	set(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
	set(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger - 1);
	set(fd, SOL_SOCKET, SO_LINGER, &linger, 4);
	set(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger + 8);
	set(fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
	set(fd, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon - 1);
	for (n = 0; n <= 16; n += 4) {
		get(fd, SOL_SOCKET, SO_LINGER, n);
		get(fd, SOL_SOCKET, SO_RCVTIMEO, n);
		get(fd, SOL_SOCKET, SO_PEERCRED, n);
	}
	get(fd, SOL_SOCKET, SO_LINGER, 7);
	get(fd, SOL_SOCKET, SO_PEERCRED, 11);
	get(fd, SOL_SOCKET, SO_ERROR, 4);
	get(fd, SOL_SOCKET, SO_ERROR, 2);
}

static void try_others(int fd)
{
	static const struct ip_mreq group = {{0x010000e0}, {0x0100007f}};

	set(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
	set(fd, SOL_SOCKET, SO_BINDTODEVICE, "a name that is longer than a string is", 38);
	set(fd, SOL_IP, IP_ADD_MEMBERSHIP, &group, sizeof group);
	set(fd, SOL_TCP, TCP_CONGESTION, "reno", 4);
	set(fd, SOL_TCP, TCP_CONGESTION, "cubic", 5);
	get(fd, SOL_TCP, TCP_CONGESTION, 16);
	get(fd, SOL_TCP, TCP_CONGESTION, 2);
	get(fd, SOL_SOCKET, SO_BINDTODEVICE, 16);
	get(fd, SOL_SOCKET, SO_MEMINFO, 64);
}

/* More than is recorded. */
static void try_groups(void)
{
	static gid_t all[100];
	size_t i, n = sizeof all / sizeof *all;
	int pair[2];

	for (i = 0; i < n; i++)
		all[i] = i + 1;
	call(setgroups, n, all);
	call(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	get(pair[0], SOL_SOCKET, SO_PEERGROUPS, sizeof all - 4);
	get(pair[0], SOL_SOCKET, SO_PEERGROUPS, sizeof all);
	call(setgroups, 0, NULL);
	set(pair[0], SOL_TCP, TCP_CONGESTION, room, 256);
	set(pair[0], SOL_TCP, TCP_CONGESTION, room, 257);
}

int main(void)
{
	static const struct sockaddr_in nobody = {AF_INET, 0x0100, {0x0100007f}, {0}};
	int tcp = call(socket, AF_INET, SOCK_STREAM, 0), udp = call(socket, AF_INET, SOCK_DGRAM, 0);
	int netlink = call(socket, AF_NETLINK, SOCK_RAW, 0), pair[2];
	static const int one = 1;

	call(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	try_numbers(tcp);
	try_structs(tcp);
	try_structs(pair[0]);
	try_others(tcp);
	try_others(udp);
	call(connect, udp, &nobody, sizeof nobody);
	call(sendto, udp, "x", 1, 0, NULL, 0);
	get(udp, SOL_SOCKET, SO_ERROR, 4);
	get(udp, SOL_SOCKET, SO_ERROR, 4);
	set(netlink, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof one);
	set(netlink, SOL_NETLINK, NETLINK_EXT_ACK, &one, 2);
	get(netlink, SOL_NETLINK, NETLINK_EXT_ACK, 4);
	get(netlink, SOL_NETLINK, NETLINK_EXT_ACK, 8);
	try_groups();
	return EXIT_SUCCESS;
}
