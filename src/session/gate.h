/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate of a session's programs (emit/gate.h), from our side.
 *
 *	struct kt_gate *gate = kt_gate_new(&err);	// shut
 *
 *	r.gate = kt_gate_fd(gate);			// programs made with this look at it
 *	...
 *	kt_gate_open(gate);
 *	...
 *	kt_gate_shut(gate);
 *	kt_rings_settle(rings);				// from here on none writes any more
 *
 * or, to read what was written until then while programs go on:
 *
 *	kt_gate_turn(gate, kt_rings_row(other));
 *	kt_rings_settle(rings);				// from here on none writes into rings
 */
#ifndef KT_SESSION_GATE_H
#define KT_SESSION_GATE_H

#include <stdint.h>

struct kt_error;
struct kt_gate;

/* On error NULL. */
struct kt_gate *kt_gate_new(struct kt_error *err);

/* That of a map made by this before, whose descriptor it takes. On error NULL. */
struct kt_gate *kt_gate_from(int fd, struct kt_error *err);
void kt_gate_free(struct kt_gate *g);

/* The map. It remains the gate's; programs that use it keep it alive. */
int kt_gate_fd(const struct kt_gate *g);

/* For every hit that comes after it: each is one store. Programs that have passed go on. */
void kt_gate_open(struct kt_gate *g);
void kt_gate_shut(struct kt_gate *g);

/*
 * Opens it on other rows than those of bank 0 (doc/ring.md), the same way; and which those are. A
 * gate that is opened or shut keeps its row.
 */
void kt_gate_turn(struct kt_gate *g, uint32_t row);
uint32_t kt_gate_row(const struct kt_gate *g);

#endif
