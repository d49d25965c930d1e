/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that all run the same function. */
#ifndef KT_TESTS_TRACED_THREADS_H
#define KT_TESTS_TRACED_THREADS_H

#include <pthread.h>

/* Runs n threads, at most 256, and waits for them. Each gets the address of `arg`. */
static inline int run_threads(int n, void *(*run)(void *), long arg)
{
	pthread_t threads[256];
	int i;

	for (i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run, &arg) != 0)
			return 1;
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

#endif
