/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses of sockets, as programs hand them to system calls: what stands in them, by family.
 *
 *	kt_sockaddr_put(t, &value);	// {sa_family=AF_UNIX, sun_path="/run/log"}
 *
 * Of a family that is not known here, and of one that is cut, the bytes are shown.
 */
#ifndef KT_VALUES_SOCKADDR_H
#define KT_VALUES_SOCKADDR_H

struct json_object;
struct kt_text;
struct kt_value;

/* In strace's words. It is two bytes at least, as without a family it is none. */
void kt_sockaddr_put(struct kt_text *t, const struct kt_value *v);

/* An object, with numbers in the order of this machine; NULL where there is no memory. */
struct json_object *kt_sockaddr_object(const struct kt_value *v);

#endif
