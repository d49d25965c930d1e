/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of an event of the kernel's functions (events/point.h): the arguments, by their names
 * and types from BTF; or at the return what it returned, `ret`, and the ns since its entry,
 * `duration`, which is -1 if the entry was not seen.
 *
 *	struct kt_event *event = kt_function_event(&name, point, btf, &err);
 *	char *recipe = kt_function_recipe(event);
 *
 *	// "file=file;buf=buf;count=count;pos=pos"
 *
 * A program gets the arguments by one of two ways, of which fetch/curate.h takes the first:
 *
 * - attached to the function (fentry, fexit), as words of 8 bytes, one for each argument, or two
 *   for a struct of more than 8 bytes;
 * - by the registers at the function's entry (kprobe, kprobe.multi), where those after the sixth
 *   word are missing, or after its return (kretprobe, kprobe.session). point->by_registers is set.
 *
 * A struct passed by value is a field if it fits in one word. A function that BTF does not have,
 * because the compiler has changed it, or it is in a module, has no types: its fields are arg0 to
 * arg5, or ret (fetch/point_fields.h), by the registers.
 */
#ifndef KT_FETCH_FUNCTION_FIELDS_H
#define KT_FETCH_FUNCTION_FIELDS_H

struct kt_btf;
struct kt_btf_target;
struct kt_error;
struct kt_event;
struct kt_event_name;
struct kt_point;

/*
 * Makes the event, without fields if BTF does not have the function. The caller frees it. Returns
 * NULL on error.
 */
struct kt_event *kt_function_event(const struct kt_event_name *name, const struct kt_point *point,
				   struct kt_btf *btf, struct kt_error *err);

/* Finds the function's types. Returns 0, or -ENOENT if BTF does not have it. */
int kt_function_find_types(const struct kt_point *point, struct kt_btf *btf,
			   struct kt_btf_target *found, struct kt_error *err);

/*
 * Returns the recipe of the fields, which the caller frees; or NULL
 * without memory.
 */
char *kt_function_recipe(const struct kt_event *event);

/* Finds event->curated->timing, for a return; without any, the entry alone is timed. */
void kt_function_timing_find(struct kt_event *event, struct kt_btf *btf);

/* Returns how many words of the function's arguments are in registers, before the first that is
 * not. */
unsigned int kt_function_register_words(const struct kt_btf_target *function);

#endif
