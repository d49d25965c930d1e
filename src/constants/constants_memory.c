// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>

/* clang-format off */

static const struct kt_label madvise_of[] = {
	C(MADV_NORMAL), C(MADV_RANDOM), C(MADV_SEQUENTIAL), C(MADV_WILLNEED), C(MADV_DONTNEED),
	C(MADV_FREE), C(MADV_REMOVE), C(MADV_DONTFORK), C(MADV_DOFORK), C(MADV_MERGEABLE),
	C(MADV_UNMERGEABLE), C(MADV_HUGEPAGE), C(MADV_NOHUGEPAGE), C(MADV_DONTDUMP),
	C(MADV_DODUMP), C(MADV_WIPEONFORK), C(MADV_KEEPONFORK), C(MADV_COLD), C(MADV_PAGEOUT),
	C(MADV_POPULATE_READ), C(MADV_POPULATE_WRITE), {24, "MADV_DONTNEED_LOCKED"},
	{25, "MADV_COLLAPSE"}, C(MADV_HWPOISON), {101, "MADV_SOFT_OFFLINE"},
};

static const struct kt_label membarrier_of[] = {
	C(MEMBARRIER_CMD_QUERY), C(MEMBARRIER_CMD_GLOBAL), C(MEMBARRIER_CMD_GLOBAL_EXPEDITED),
	C(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED), C(MEMBARRIER_CMD_PRIVATE_EXPEDITED),
	C(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED),
	C(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE),
	C(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE),
	C(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ),
	C(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ),
	{1 << 9, "MEMBARRIER_CMD_GET_REGISTRATIONS"},
};

static const struct kt_label membarrier_flags_of[] = {
	C(MEMBARRIER_CMD_FLAG_CPU),
};

static const struct kt_label mlock_of[] = {
	C(MLOCK_ONFAULT),
};

static const struct kt_label mlockall_of[] = {
	C(MCL_CURRENT), C(MCL_FUTURE), C(MCL_ONFAULT),
};

static const struct kt_label mmap_of[] = {
	C(MAP_FILE), C(MAP_SHARED), C(MAP_PRIVATE), C(MAP_SHARED_VALIDATE), C(MAP_FIXED),
	C(MAP_ANONYMOUS), C(MAP_32BIT), C(MAP_GROWSDOWN), C(MAP_DENYWRITE), C(MAP_EXECUTABLE),
	C(MAP_LOCKED), C(MAP_NORESERVE), C(MAP_POPULATE), C(MAP_NONBLOCK), C(MAP_STACK),
	C(MAP_HUGETLB), C(MAP_SYNC), C(MAP_FIXED_NOREPLACE),
};

static const struct kt_label mremap_of[] = {
	C(MREMAP_MAYMOVE), C(MREMAP_FIXED), C(MREMAP_DONTUNMAP),
};

static const struct kt_label msync_of[] = {
	C(MS_ASYNC), C(MS_INVALIDATE), C(MS_SYNC),
};

static const struct kt_label pkey_of[] = {
	C(PKEY_DISABLE_ACCESS), C(PKEY_DISABLE_WRITE), {4, "PKEY_DISABLE_EXECUTE"},
};

static const struct kt_label policy_of[] = {
	C(MPOL_DEFAULT), C(MPOL_PREFERRED), C(MPOL_BIND), C(MPOL_INTERLEAVE), C(MPOL_LOCAL),
	C(MPOL_PREFERRED_MANY), {6, "MPOL_WEIGHTED_INTERLEAVE"}, C(MPOL_F_STATIC_NODES),
	C(MPOL_F_RELATIVE_NODES), C(MPOL_F_NUMA_BALANCING),
};

static const struct kt_label policy_get_of[] = {
	C(MPOL_F_NODE), C(MPOL_F_ADDR), C(MPOL_F_MEMS_ALLOWED),
};

static const struct kt_label policy_move_of[] = {
	C(MPOL_MF_STRICT), C(MPOL_MF_MOVE), C(MPOL_MF_MOVE_ALL),
};

static const struct kt_label prot_of[] = {
	C(PROT_NONE), C(PROT_READ), C(PROT_WRITE), C(PROT_EXEC), C(PROT_GROWSDOWN),
	C(PROT_GROWSUP),
};

static const struct kt_labels tables[] = {
	VALUES(madvise, "MADV_???"), VALUES(membarrier, "MEMBARRIER_CMD_???"),
	FLAGS(membarrier_flags, 0, "MEMBARRIER_CMD_FLAG_???"), FLAGS(mlock, 0, "MLOCK_???"),
	FLAGS(mlockall, 0, "MCL_???"), FORMED(mmap, MAP_TYPE, "MAP_???", KT_LABELS_HUGE_PAGES),
	FLAGS(mremap, 0, "MREMAP_???"), FLAGS(msync, 0, "MS_???"), FLAGS(pkey, 0, "PKEY_???"),
	FLAGS(policy, 0xff, "MPOL_???"), FLAGS(policy_get, 0, "MPOL_???"),
	FLAGS(policy_move, 0, "MPOL_???"), FLAGS(prot, 0, "PROT_???"),
};

/* clang-format on */

const struct kt_constants kt_constants_of_memory = {tables, sizeof(tables) / sizeof(*tables)};
