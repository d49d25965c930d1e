// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/program_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "bpf/asm.h"

struct kt_cached_program {
	struct kt_program_kind kind;
	struct bpf_insn *insns;
	size_t n_insns;
	int fd;
};

static bool is_equal(const struct kt_cached_program *a, const struct kt_cached_program *b)
{
	return a->n_insns == b->n_insns && a->kind.type == b->kind.type &&
	       a->kind.btf_id == b->kind.btf_id &&
	       memcmp(a->insns, b->insns, a->n_insns * sizeof(*a->insns)) == 0;
}

static const struct kt_cached_program *find_program(const struct kt_program_cache *c,
						    const struct kt_cached_program *wanted)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (is_equal(&c->programs[i], wanted))
			return &c->programs[i];
	return NULL;
}

static int copy_fd(int fd, struct kt_error *err)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return copy < 0 ? kt_fail(err, errno, "cannot copy a descriptor: %s", strerror(errno))
			: copy;
}

/* Keeps a loaded program, with copies of its descriptor and instructions. */
static int add_program(struct kt_program_cache *c, struct kt_cached_program p, struct kt_error *err)
{
	struct kt_cached_program *programs = kt_grow(c->programs, c->n, sizeof(*programs));
	struct bpf_insn *insns = malloc(p.n_insns * sizeof(*insns));

	if (programs)
		c->programs = programs;
	if (!programs || !insns) {
		free(insns);
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	}
	memcpy(insns, p.insns, p.n_insns * sizeof(*insns));
	p.insns = insns;
	p.fd = copy_fd(p.fd, err);
	if (p.fd < 0) {
		free(insns);
		return p.fd;
	}
	programs[c->n++] = p;
	return 0;
}

int kt_program_cache_load(struct kt_program_cache *c, struct kt_program_kind kind,
			  const char *event, struct kt_asm *code, struct kt_error *err)
{
	struct kt_cached_program wanted = {.kind = kind};
	const struct kt_cached_program *found;

	if (kt_program_is_shown())
		return kt_program_load(kind, event, code, err);
	wanted.insns = (struct bpf_insn *)kt_asm_link(code, &wanted.n_insns, err);
	if (!wanted.insns)
		return kt_fail_because(err, "cannot load the program of %s", event);
	found = find_program(c, &wanted);
	if (found)
		return copy_fd(found->fd, err);
	wanted.fd = kt_program_load(kind, event, code, err);
	if (wanted.fd < 0 || add_program(c, wanted, err) == 0)
		return wanted.fd;
	close(wanted.fd);
	return -err->code;
}

void kt_program_cache_free(struct kt_program_cache *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		close(c->programs[i].fd);
		free(c->programs[i].insns);
	}
	free(c->programs);
	*c = (struct kt_program_cache){0};
}
