/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point (events/point.h) in the info of a flight recorder, as JSON.
 *
 *	{"path":"/usr/bin/bash","inode":5311017,...,"return":1,"sites":[[744256,0,0]]}
 *	{"function":"vfs_read","by_registers":1,"sites":[[18446744071584321536,0,0]]}
 */
#ifndef KT_SESSION_FLIGHT_FLIGHT_POINT_H
#define KT_SESSION_FLIGHT_FLIGHT_POINT_H

struct json_object;
struct kt_point;

/* Returns the object, which the caller owns; or NULL without memory. */
struct json_object *kt_flight_point_write(const struct kt_point *point);

/* Returns the point, which the caller frees; NULL: it is none, or without memory. */
struct kt_point *kt_flight_point_read(const struct json_object *o);

#endif
