// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/program_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "bpf/asm.h"

enum { THREADS_MAX = 8, DESCRIPTORS_EXPECTED = 4096 };

enum state { EXPECTED, LOADING, LOADED, FAILED };

struct program {
	struct kt_program_kind kind;
	struct bpf_insn *insns;
	size_t n_insns;
	enum state state;
	int fd;              /* if LOADED */
	struct kt_asm *code; /* until then, if it is loaded in the background */
	char *event;         /* the same */
};

struct kt_program_cache {
	pthread_mutex_t lock;    /* of all that follows */
	pthread_cond_t expected; /* a program is EXPECTED, or `ends` */
	pthread_cond_t loaded;   /* a program is LOADED or FAILED */
	struct program **programs;
	size_t n, next; /* no program before `next` is EXPECTED */
	bool ends;
	pthread_t threads[THREADS_MAX];
	size_t n_threads;
};

struct kt_program_cache *kt_program_cache_new(struct kt_error *err)
{
	struct kt_program_cache *c = calloc(1, sizeof(*c));

	if (!c) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->expected, NULL);
	pthread_cond_init(&c->loaded, NULL);
	return c;
}

static void drop_code(struct program *p)
{
	kt_asm_free(p->code);
	free(p->event);
	p->code = NULL;
	p->event = NULL;
}

static void free_program(struct program *p)
{
	if (p->state == LOADED)
		close(p->fd);
	drop_code(p);
	free(p->insns);
	free(p);
}

void kt_program_cache_free(struct kt_program_cache *c)
{
	size_t i;

	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->ends = true;
	pthread_cond_broadcast(&c->expected);
	pthread_mutex_unlock(&c->lock);
	for (i = 0; i < c->n_threads; i++)
		pthread_join(c->threads[i], NULL);
	for (i = 0; i < c->n; i++)
		free_program(c->programs[i]);
	free(c->programs);
	pthread_cond_destroy(&c->loaded);
	pthread_cond_destroy(&c->expected);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* Returns a program that is to be loaded, LOADING by now; NULL at the end. Holds the lock. */
static struct program *take_expected(struct kt_program_cache *c)
{
	struct program *p;

	while (!c->ends) {
		while (c->next < c->n && c->programs[c->next]->state != EXPECTED)
			c->next++;
		if (c->next < c->n) {
			p = c->programs[c->next++];
			p->state = LOADING;
			return p;
		}
		pthread_cond_wait(&c->expected, &c->lock);
	}
	return NULL;
}

static void *load_programs(void *cache)
{
	struct kt_program_cache *c = cache;
	struct kt_error ignored;
	struct program *p;

	pthread_mutex_lock(&c->lock);
	while ((p = take_expected(c))) {
		pthread_mutex_unlock(&c->lock);
		p->fd = kt_program_load(p->kind, p->event, p->code, &ignored);
		drop_code(p);
		pthread_mutex_lock(&c->lock);
		p->state = p->fd < 0 ? FAILED : LOADED;
		pthread_cond_broadcast(&c->loaded);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/*
 * Makes the process's table of descriptors as large as it will be: once threads share the table,
 * the kernel waits for an RCU grace period each time the table grows.
 */
static void grow_descriptor_table(void)
{
	int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, DESCRIPTORS_EXPECTED - 1);

	if (fd >= 0)
		close(fd);
}

/* Starts a thread per CPU, at the first call. Without one, programs are not loaded ahead. */
static void start_threads(struct kt_program_cache *c)
{
	cpu_set_t cpus;
	sigset_t all, old;
	int n;

	if (c->n_threads)
		return;
	grow_descriptor_table();
	n = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (c->n_threads < THREADS_MAX && n-- > 0)
		if (pthread_create(&c->threads[c->n_threads], NULL, load_programs, c) == 0)
			c->n_threads++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static bool is_equal(const struct program *p, struct kt_program_kind kind,
		     const struct bpf_insn *insns, size_t n)
{
	return p->n_insns == n && p->kind.type == kind.type && p->kind.btf_id == kind.btf_id &&
	       memcmp(p->insns, insns, n * sizeof(*insns)) == 0;
}

/* Finds a program, or adds it as FAILED. Returns NULL without memory. Holds the lock. */
static struct program *find_program(struct kt_program_cache *c, struct kt_program_kind kind,
				    const struct bpf_insn *insns, size_t n)
{
	struct program **programs, *p;
	size_t i;

	for (i = 0; i < c->n; i++)
		if (is_equal(c->programs[i], kind, insns, n))
			return c->programs[i];
	programs = kt_grow(c->programs, c->n, sizeof(*programs));
	if (!programs)
		return NULL;
	c->programs = programs;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	*p = (struct program){.kind = kind, .n_insns = n, .state = FAILED};
	p->insns = malloc(n * sizeof(*insns));
	if (!p->insns) {
		free(p);
		return NULL;
	}
	memcpy(p->insns, insns, n * sizeof(*insns));
	return c->programs[c->n++] = p;
}

/* Adds a program for the threads, unless it is there. Returns whether it has the code. */
static bool expect_program(struct kt_program_cache *c, struct kt_program_kind kind,
			   const char *event, struct kt_asm *code, const struct bpf_insn *insns,
			   size_t n)
{
	size_t known = c->n;
	struct program *p = find_program(c, kind, insns, n);

	if (!p || c->n == known)
		return false;
	p->event = strdup(event);
	if (!p->event)
		return false;
	p->code = code;
	p->state = EXPECTED;
	start_threads(c);
	pthread_cond_signal(&c->expected);
	return true;
}

void kt_program_cache_expect(struct kt_program_cache *c, struct kt_program_kind kind,
			     const char *event, struct kt_asm *code)
{
	const struct bpf_insn *insns;
	struct kt_error ignored;
	bool is_kept = false;
	size_t n;

	insns = kt_program_is_shown() ? NULL : kt_asm_link(code, &n, &ignored);
	if (insns) {
		pthread_mutex_lock(&c->lock);
		is_kept = expect_program(c, kind, event, code, insns, n);
		pthread_mutex_unlock(&c->lock);
	}
	if (!is_kept)
		kt_asm_free(code);
}

/* Waits until a program is LOADED or FAILED, or loads it in place of the threads. */
static void load_now(struct kt_program_cache *c, struct program *p, const char *event,
		     struct kt_asm *code, struct kt_error *err)
{
	while (p->state == LOADING)
		pthread_cond_wait(&c->loaded, &c->lock);
	if (p->state == LOADED)
		return;
	p->state = LOADING;
	pthread_mutex_unlock(&c->lock);
	p->fd = kt_program_load(p->kind, event, code, err);
	drop_code(p);
	pthread_mutex_lock(&c->lock);
	p->state = p->fd < 0 ? FAILED : LOADED;
}

/* Loads a program through the cache. Returns its descriptor, which remains the cache's. */
static int load_program(struct kt_program_cache *c, struct kt_program_kind kind, const char *event,
			struct kt_asm *code, struct kt_error *err)
{
	const struct bpf_insn *insns;
	struct program *p;
	size_t n;

	insns = kt_asm_link(code, &n, err);
	if (!insns)
		return kt_fail_because(err, "cannot load the program of %s", event);
	p = find_program(c, kind, insns, n);
	if (!p)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	load_now(c, p, event, code, err);
	return p->fd;
}

int kt_program_cache_load(struct kt_program_cache *c, struct kt_program_kind kind,
			  const char *event, struct kt_asm *code, struct kt_error *err)
{
	int fd;

	if (kt_program_is_shown())
		return kt_program_load(kind, event, code, err);
	pthread_mutex_lock(&c->lock);
	fd = load_program(c, kind, event, code, err);
	pthread_mutex_unlock(&c->lock);
	if (fd < 0)
		return fd;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? kt_fail(err, errno, "cannot copy a descriptor: %s", strerror(errno)) : fd;
}
