/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Labels and notations of struct members, by the member's name, and by the struct if the name alone
 * is ambiguous.
 *
 *	kt_member_label("stat", &field);	// st_mode: S_IFREG and others, the rest in octal
 */
#ifndef KT_CTYPES_MEMBER_LABELS_H
#define KT_CTYPES_MEMBER_LABELS_H

struct kt_field;

/* Gives a numeric member of the struct `of` labels (constants/constants.h) and a notation. */
void kt_member_label(const char *of, struct kt_field *field);

#endif
