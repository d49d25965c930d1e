// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/recipe_expr.h"

#include <stdlib.h>

enum { OPERANDS = 3 };

void kt_expr_free(struct kt_expr *e)
{
	unsigned int i;

	if (!e)
		return;
	for (i = 0; i < OPERANDS; i++)
		kt_expr_free(e->of[i]);
	free(e->text);
	free(e);
}

bool kt_expr_any(const struct kt_expr *e, bool (*is_so)(const struct kt_expr *part))
{
	unsigned int i;

	for (i = 0; i < OPERANDS && e->of[i]; i++)
		if (kt_expr_any(e->of[i], is_so))
			return true;
	return is_so(e);
}

bool kt_expr_is_copied(const struct kt_expr *e)
{
	return e->op >= KT_EXPR_STRING && e->op <= KT_EXPR_START;
}

bool kt_expr_is_string(const struct kt_expr *e)
{
	return e->op == KT_EXPR_STRING || kt_expr_is_file(e);
}

bool kt_expr_is_early(const struct kt_expr *e)
{
	return e->op == KT_EXPR_COUNT || e->op == KT_EXPR_ENTRIES || e->op == KT_EXPR_SOCKET;
}

bool kt_expr_is_file(const struct kt_expr *e)
{
	return e->op == KT_EXPR_FILE || e->op == KT_EXPR_START;
}
