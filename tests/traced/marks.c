// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program with USDT marks, which prints what it passes to them: the witness of marks.
 *
 *	marks values		// values -1 255 ... : each size and sign
 *	marks sites 5		// 5 hits at each of 3 sites of one mark, with arguments elsewhere
 *	marks guarded 3		// 3 hits, if the mark's semaphore is up
 *	marks many		// a mark with 12 arguments
 *	marks real		// a mark whose second argument is a floating-point number
 *	marks threads 8 100	// 100 hits in each of 8 threads
 *	marks wait		// a hit for each line of input
 *	marks operands		// operands that compilers rarely choose
 *	marks late FILE		// an argument in a file's page that is not in memory
 *	marks unreadable	// an argument where there is no memory, then a good one
 */
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

#define SEMAPHORE(mark)                                         \
	__extension__ unsigned short witness_##mark##_semaphore \
		__attribute__((unused, section(".probes"), visibility("hidden")))

SEMAPHORE(values);
SEMAPHORE(sites);
SEMAPHORE(guarded);
SEMAPHORE(many);
SEMAPHORE(real);
SEMAPHORE(line);

/* Visible, so that a note can name it. */
extern int in_memory;
int in_memory;

static void run_value(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g,
		      uint64_t h)
{
	printf("values %d %u %d %u %" PRId32 " %" PRIu32 " %" PRId64 " %" PRId64 "\n", a, b, c, d,
	       e, f, g, (int64_t)h);
	STAP_PROBE8(witness, values, a, b, c, d, e, f, g, h);
}

static int run_values(void)
{
	run_value(-1, 255, -1, 65535, -1, UINT32_MAX, -1, 1);
	run_value(INT8_MIN, 128, INT16_MIN, 32768, INT32_MIN, 1u << 31, INT64_MIN, 4194303);
	run_value(INT8_MAX, 0, INT16_MAX, 0, INT32_MAX, 0, INT64_MAX, 0);
	return 0;
}

static int run_sites(long n)
{
	long i;

	for (i = 0; i < n; i++) {
		printf("sites 7 %ld\n", i);
		STAP_PROBE2(witness, sites, 7, i);
	}
	for (i = 0; i < n; i++) {
		in_memory = -(int)i;
		printf("sites %d %ld\n", in_memory, 2 * i);
		STAP_PROBE2(witness, sites, in_memory, 2 * i);
	}
	for (i = 0; i < n; i++) {
		printf("sites %ld %d\n", 3 * i, -1);
		STAP_PROBE2(witness, sites, 3 * i, -1);
	}
	return 0;
}

static int run_guarded(long n)
{
	for (; n > 0; n--) {
		if (!*(volatile unsigned short *)&witness_guarded_semaphore) {
			puts("off");
			continue;
		}
		printf("guarded %ld\n", n);
		STAP_PROBE1(witness, guarded, n);
	}
	return 0;
}

static int run_many(void)
{
	long n = getpid();

	printf("many %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld\n", n, n + 1, n + 2, n + 3,
	       n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11);
	STAP_PROBE12(witness, many, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8,
		     n + 9, n + 10, n + 11);
	return 0;
}

static int run_real(void)
{
	volatile double half = 0.5;
	double d = half;

	STAP_PROBE3(witness, real, 1, d, 3);
	return 0;
}

static void *run_thread(void *arg)
{
	long n = *(long *)arg;

	for (; n > 0; n--)
		STAP_PROBE1(witness, line, n);
	return NULL;
}

static int run_threads(int n, long hits)
{
	pthread_t threads[256];
	int i;

	for (i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run_thread, &hits) != 0)
			return 1;
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int run_wait(void)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		STAP_PROBE1(witness, line, atol(line));
		puts("done");
		fflush(stdout);
	}
	return 0;
}

#if defined(__x86_64__)

/* A NOP with a note whose arguments are given as text. */
#define NOTE(mark, arguments)                                                 \
	"990: nop\n"                                                          \
	".pushsection .note.stapsdt,\"\",\"note\"\n"                          \
	".balign 4\n"                                                         \
	".4byte 992f-991f, 994f-993f, 3\n"                                    \
	"991: .asciz \"stapsdt\"\n"                                           \
	"992: .balign 4\n"                                                    \
	"993: .8byte 990b, _.stapsdt.base, 0\n"                               \
	".asciz \"witness\"\n.asciz \"" mark "\"\n.asciz \"" arguments "\"\n" \
	"994: .balign 4\n"                                                    \
	".popsection\n"

static int run_operands(void)
{
	static const uint32_t table[8] = {11, 22, 33, 44, 55, 66, 77, 88};
	uint64_t a = 0x8182838485868788;
	int64_t shown[2] = {-5, 5};

	in_memory = -1234;
	__asm__ volatile(NOTE("parts", "1@%%al -1@%%ah 2@%%ax -4@%%eax 8@%%rax 4@$-2 8@$5000000000")
			 :
			 : "a"(a));
	__asm__ volatile(NOTE("indices", "4@(%%rbx,%%rcx,4) 4@8(%%rbx,%%rcx,4) 4@(%%rbx) "
					 "-4@in_memory(%%rip) -2@2+in_memory(%%rip) 8@%%xmm0")
			 :
			 : "b"(table), "c"(3l));
	__asm__ volatile("mov %0, %%r12\n"
			 "mov $77, %%r10\n" NOTE("last", "-8@(%%r12) -8@8(%%r12) -1@%%r10b")
			 :
			 : "r"(shown)
			 : "r10", "r12", "memory");
	return 0;
}

static int run_late(const char *file)
{
	int fd = open(file, O_RDONLY);
	const long *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return 1;
	__asm__ volatile(NOTE("late", "8@16(%%rbx)") : : "b"(page));
	printf("late %ld\n", page[2]);
	return 0;
}

static int run_unreadable(void)
{
	long value = 5;

	__asm__ volatile(NOTE("unreadable", "-8@(%%rbx) 8@%%rbx") : : "b"(8l));
	__asm__ volatile(NOTE("unreadable", "-8@(%%rcx) 8@%%rcx") : : "c"(&value), "m"(value));
	return 0;
}

static int run_special(const char *what, const char *argument)
{
	if (!strcmp(what, "operands"))
		return run_operands();
	if (!strcmp(what, "late") && argument)
		return run_late(argument);
	return strcmp(what, "unreadable") ? 2 : run_unreadable();
}

#else

static int run_special(const char *what, const char *argument)
{
	(void)what;
	(void)argument;
	return 77;
}

#endif

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "values"))
		return run_values();
	if (!strcmp(what, "sites") && argc == 3)
		return run_sites(atol(argv[2]));
	if (!strcmp(what, "guarded") && argc == 3)
		return run_guarded(atol(argv[2]));
	if (!strcmp(what, "many"))
		return run_many();
	if (!strcmp(what, "real"))
		return run_real();
	if (!strcmp(what, "threads") && argc == 4)
		return run_threads(atoi(argv[2]), atol(argv[3]));
	return strcmp(what, "wait") ? run_special(what, argv[2]) : run_wait();
}
