// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/task_outputs.h"

#include <errno.h>

#include "values/text.h"

static void begin_output(const struct kt_task_outputs *o, struct kt_task_output *of)
{
	of->is_used = true;
	of->prefix = o->prefix;
}

void kt_task_outputs_begin(struct kt_task_outputs *o, const struct kt_strace_prefix *prefix,
			   const struct kt_output_choice *choice)
{
	*o = (struct kt_task_outputs){
		.prefix = *prefix,
		.choice = *choice,
		.tasks.size = sizeof(struct kt_task_output),
	};
	begin_output(o, &o->first);
	o->of = &o->first;
}

void kt_task_outputs_clear(struct kt_task_outputs *o)
{
	kt_task_table_clear(&o->tasks, NULL);
}

void kt_task_outputs_switch(struct kt_task_outputs *o, struct kt_text *text,
			    struct kt_task_output *of, uint32_t tid)
{
	uint64_t position = kt_text_position(text);

	if (of == o->of)
		return;
	o->choice.choose(o->choice.arg, text, tid);
	o->of->begin = position - o->of->begin;
	of->begin = position - of->begin;
	o->of = of;
}

int kt_task_outputs_choose(struct kt_task_outputs *o, struct kt_text *text, uint32_t tid)
{
	struct kt_task_output *of;

	if (!o->choice.choose)
		return 0;
	of = kt_task_table_make(&o->tasks, tid);
	if (!of)
		return -ENOMEM;
	if (!of->is_used)
		begin_output(o, of);
	kt_task_outputs_switch(o, text, of, tid);
	return 0;
}

struct kt_task_output *kt_task_outputs_next(struct kt_task_outputs *o, uint32_t *tid)
{
	struct kt_task_output *of;

	if (!o->choice.choose)
		return *tid == 0 ? &o->first : NULL;
	while ((of = kt_task_table_next(&o->tasks, tid)) && !of->is_used)
		++*tid;
	return of;
}
