/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints socket addresses by their family.
 *
 *	kt_sockaddr_put(t, &value);	// {sa_family=AF_UNIX, sun_path="/run/log"}
 *
 * An address of an unknown family, or a cut one, is printed as bytes.
 */
#ifndef KT_VALUES_SOCKADDR_H
#define KT_VALUES_SOCKADDR_H

struct json_object;
struct kt_text;
struct kt_value;

/* Prints an address as strace does. It has at least the two bytes of its family. */
void kt_sockaddr_put(struct kt_text *t, const struct kt_value *v);

/* Returns an object, with numbers in the order of this machine; NULL without memory. */
struct json_object *kt_sockaddr_object(const struct kt_value *v);

#endif
