/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a USDT mark's event: arg0, arg1, ... with the sizes and signs that its note states.
 *
 *	kt_usdt_fields_add(event);	// -4@%ebx 8@-16(%rbp): "s32 arg0", "word64 arg1"
 *
 * An argument that is in a different place at each site of the mark, or in memory, is computed
 * before everything else (events/curated.h). One that is unknown at some site has no field; nor has
 * one that not all sites have.
 */
#ifndef KT_FETCH_USDT_FIELDS_H
#define KT_FETCH_USDT_FIELDS_H

struct kt_event;

/* Adds the fields to the event, and their expressions to event->curated. Returns 0 or -ENOMEM. */
int kt_usdt_fields_add(struct kt_event *event);

#endif
