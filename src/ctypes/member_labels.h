/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the numbers mean that members of structs hold: by the members' names, and by the struct
 * where one of them is not enough.
 *
 *	kt_member_label("stat", &field);	// st_mode: S_IFREG and others, the rest in octal
 */
#ifndef KT_CTYPES_MEMBER_LABELS_H
#define KT_CTYPES_MEMBER_LABELS_H

struct kt_field;

/* Gives a number, by its name, labels (constants/constants.h) and a notation. */
void kt_member_label(const char *of, struct kt_field *field);

#endif
