/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations of variables in C, from BTF.
 *
 *	struct kt_btf_declarations *d = kt_btf_declarations_new(btf);
 *	char *text = kt_btf_declaration(d, type, "file");	// "struct file *file"
 */
#ifndef KT_CTYPES_BTF_DECLARATION_H
#define KT_CTYPES_BTF_DECLARATION_H

#include <stdint.h>

struct btf;
struct kt_btf_declarations;

/* Returns what makes declarations of these types, which must outlive it; NULL without memory. */
struct kt_btf_declarations *kt_btf_declarations_new(const struct btf *btf);
void kt_btf_declarations_free(struct kt_btf_declarations *d);

/* Returns the declaration, which the caller frees; or NULL without memory. */
char *kt_btf_declaration(struct kt_btf_declarations *d, uint32_t type, const char *name);

#endif
