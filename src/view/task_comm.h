/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_VIEW_TASK_COMM_H
#define KT_VIEW_TASK_COMM_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;

/*
 * Returns the comm to print: "<...>" as in ftrace if it is unknown (NULL); "<idle>" for task 0, the
 * idle task of each CPU.
 */
const char *kt_task_comm(uint32_t tid, const char *comm);

/* Adds the same as "comm" of an object, if it is known. Returns false as kt_json_add(). */
bool kt_task_comm_add(struct json_object *o, uint32_t tid, const char *comm);

#endif
