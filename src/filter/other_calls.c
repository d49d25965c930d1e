// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/other_calls.h"

#include <stddef.h>
#include <string.h>

#include "constants/constants.h"
#include "constants/labels.h"

/* Of 32-bit programs. */
static const char of_32_bits[] =
	"_llseek _newselect bdflush break chown32 clock_adjtime64 clock_getres_time64 "
	"clock_gettime64 clock_nanosleep_time64 clock_settime64 fadvise64_64 fchown32 fcntl64 "
	"fstat64 fstatat64 fstatfs64 ftime ftruncate64 futex_time64 getegid32 geteuid32 getgid32 "
	"getgroups32 getresgid32 getresuid32 getuid32 gtty idle io_pgetevents_time64 ipc lchown32 "
	"lock lstat64 mmap2 mpx mq_timedreceive_time64 mq_timedsend_time64 nice oldfstat oldlstat "
	"oldolduname oldstat olduname old_mmap old_select ppoll_time64 prof profil pselect6_time64 "
	"readdir recv recvmmsg_time64 rt_sigtimedwait_time64 sched_rr_get_interval_time64 "
	"semtimedop_time64 send sendfile64 setfsgid32 setfsuid32 setgid32 setgroups32 setregid32 "
	"setresgid32 setresuid32 setreuid32 setuid32 sgetmask sigaction signal sigpending "
	"sigprocmask sigreturn sigsuspend socketcall ssetmask stat64 statfs64 stime stty sys_sync "
	"timer_gettime64 timer_settime64 timerfd_gettime64 timerfd_settime64 truncate64 ugetrlimit "
	"ulimit umount utimensat_time64 vm86 vm86old waitpid";

/* Of other architectures. */
static const char of_others[] =
	"arm_fadvise64_64 arm_sync_file_range breakpoint cacheflush cachectl cmpxchg_badaddr "
	"fp_udfiex_crtl get_tls getdomainname getdtablesize gethostname getpagesize getxgid "
	"getxpid getxuid kern_features memory_ordering multiplexer or1k_atomic pciconfig_iobase "
	"pciconfig_read pciconfig_write perfctr perfmonctl riscv_flush_icache riscv_hwprobe rtas "
	"s390_guarded_storage s390_pci_mmio_read s390_pci_mmio_write s390_runtime_instr "
	"s390_sthyi set_tls spu_create spu_run subpage_prot swapcontext switch_endian "
	"sync_file_range2 sys_debug_setcontext sysmips usr26 usr32 utrap_install";

/* Of older kernels, or never made. */
static const char of_old_kernels[] =
	"_sysctl afs_syscall create_module epoll_ctl_old epoll_wait_old get_kernel_syms getpmsg "
	"lookup_dcookie nfsservctl putpmsg query_module security tuxcall uselib vserver";

static bool has_word(const char *words, const char *word)
{
	size_t len;

	for (; *words; words += len, words += *words == ' ') {
		len = strcspn(words, " ");
		if (len == strlen(word) && strncmp(words, word, len) == 0)
			return true;
	}
	return false;
}

/* Returns whether the headers that ktrace was compiled with have the call. */
static bool is_in_headers(const char *name)
{
	const struct kt_labels *calls = kt_constants_find("call");
	size_t i = 0;

	while (i < calls->n && strcmp(calls->of[i].text, name) != 0)
		i++;
	return i < calls->n;
}

bool kt_other_calls_has(const char *name)
{
	return has_word(of_32_bits, name) || has_word(of_others, name) ||
	       has_word(of_old_kernels, name) || is_in_headers(name);
}
