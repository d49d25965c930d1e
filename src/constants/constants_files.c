// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <fcntl.h>
#include <linux/dqblk_xfs.h>
#include <linux/fanotify.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/quota.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/swap.h>
#include <sys/xattr.h>
#include <unistd.h>

/* clang-format off */

#define Q(command) \
	T(command, #command, USRQUOTA), T(command, #command, GRPQUOTA), \
	T(command, #command, PRJQUOTA)
#define T(command, name, type) {(unsigned int)QCMD(command, type), "QCMD(" name ", " #type ")"}

static const struct kt_label access_of[] = {
	C(F_OK), C(R_OK), C(W_OK), C(X_OK),
};

static const struct kt_label advice_of[] = {
	C(POSIX_FADV_NORMAL), C(POSIX_FADV_RANDOM), C(POSIX_FADV_SEQUENTIAL),
	C(POSIX_FADV_WILLNEED), C(POSIX_FADV_DONTNEED), C(POSIX_FADV_NOREUSE),
};

static const struct kt_label at_of[] = {
	C(AT_FDCWD),
};

static const struct kt_label at_fanotify_of[] = {
	C(AT_FDCWD), {-1, "FAN_NOFD"},
};

static const struct kt_label at_flags_of[] = {
	C(AT_SYMLINK_NOFOLLOW), C(AT_REMOVEDIR), C(AT_SYMLINK_FOLLOW), C(AT_NO_AUTOMOUNT),
	C(AT_EMPTY_PATH), C(AT_RECURSIVE),
};

static const struct kt_label close_range_of[] = {
	C(CLOSE_RANGE_UNSHARE), C(CLOSE_RANGE_CLOEXEC),
};

static const struct kt_label dnotify_of[] = {
	C(DN_ACCESS), C(DN_MODIFY), C(DN_CREATE), C(DN_DELETE), C(DN_RENAME), C(DN_ATTRIB),
	{0x80000000, "DN_MULTISHOT"},
};

static const struct kt_label dup_of[] = {
	C(O_CREAT), C(O_EXCL), C(O_NOCTTY), C(O_TRUNC), C(O_APPEND), C(O_NONBLOCK), C(O_CLOEXEC),
};

static const struct kt_label faccess_of[] = {
	C(AT_SYMLINK_NOFOLLOW), C(AT_EACCESS), C(AT_EMPTY_PATH),
};

static const struct kt_label fallocate_of[] = {
	C(FALLOC_FL_KEEP_SIZE), C(FALLOC_FL_PUNCH_HOLE), C(FALLOC_FL_NO_HIDE_STALE),
	C(FALLOC_FL_COLLAPSE_RANGE), C(FALLOC_FL_ZERO_RANGE), C(FALLOC_FL_INSERT_RANGE),
	C(FALLOC_FL_UNSHARE_RANGE),
};

static const struct kt_label fanotify_event_of[] = {
	C(FAN_ACCESS), C(FAN_MODIFY), C(FAN_ATTRIB), C(FAN_CLOSE_WRITE), C(FAN_CLOSE_NOWRITE),
	C(FAN_OPEN), C(FAN_MOVED_FROM), C(FAN_MOVED_TO), C(FAN_CREATE), C(FAN_DELETE),
	C(FAN_DELETE_SELF), C(FAN_MOVE_SELF), C(FAN_OPEN_EXEC), C(FAN_Q_OVERFLOW),
	C(FAN_FS_ERROR), C(FAN_OPEN_PERM), C(FAN_ACCESS_PERM), C(FAN_OPEN_EXEC_PERM),
	{0x00100000, "FAN_PRE_ACCESS"}, {0x01000000, "FAN_MNT_ATTACH"},
	{0x02000000, "FAN_MNT_DETACH"}, C(FAN_EVENT_ON_CHILD), C(FAN_RENAME), C(FAN_ONDIR),
};

static const struct kt_label fanotify_init_of[] = {
	C(FAN_CLASS_NOTIF), C(FAN_CLASS_CONTENT), C(FAN_CLASS_PRE_CONTENT), C(FAN_CLOEXEC),
	C(FAN_NONBLOCK), C(FAN_UNLIMITED_QUEUE), C(FAN_UNLIMITED_MARKS), C(FAN_ENABLE_AUDIT),
	C(FAN_REPORT_PIDFD), C(FAN_REPORT_TID), C(FAN_REPORT_FID), C(FAN_REPORT_DIR_FID),
	C(FAN_REPORT_NAME), C(FAN_REPORT_TARGET_FID), {0x4000, "FAN_REPORT_FD_ERROR"},
	{0x8000, "FAN_REPORT_MNT"},
};

static const struct kt_label fanotify_mark_of[] = {
	C(FAN_MARK_ADD), C(FAN_MARK_REMOVE), C(FAN_MARK_DONT_FOLLOW), C(FAN_MARK_ONLYDIR),
	C(FAN_MARK_MOUNT), C(FAN_MARK_IGNORED_MASK), C(FAN_MARK_IGNORED_SURV_MODIFY),
	C(FAN_MARK_FLUSH), C(FAN_MARK_FILESYSTEM), C(FAN_MARK_EVICTABLE), C(FAN_MARK_IGNORE),
};

static const struct kt_label fcntl_of[] = {
	C(F_DUPFD), C(F_GETFD), C(F_SETFD), C(F_GETFL), C(F_SETFL), C(F_GETLK), C(F_SETLK),
	C(F_SETLKW), C(F_SETOWN), C(F_GETOWN), C(F_SETSIG), C(F_GETSIG), C(F_SETOWN_EX),
	C(F_GETOWN_EX), C(F_OFD_GETLK), C(F_OFD_SETLK), C(F_OFD_SETLKW), C(F_SETLEASE),
	C(F_GETLEASE), C(F_NOTIFY), C(F_DUPFD_CLOEXEC), C(F_SETPIPE_SZ), C(F_GETPIPE_SZ),
	C(F_ADD_SEALS), C(F_GET_SEALS), C(F_GET_RW_HINT), C(F_SET_RW_HINT),
	C(F_GET_FILE_RW_HINT), C(F_SET_FILE_RW_HINT),
};

static const struct kt_label fd_of[] = {
	C(FD_CLOEXEC),
};

static const struct kt_label filesystem_of[] = {
	C(ADFS_SUPER_MAGIC), C(AFFS_SUPER_MAGIC), C(AFS_SUPER_MAGIC), C(ANON_INODE_FS_MAGIC),
	C(AUTOFS_SUPER_MAGIC), C(BINDERFS_SUPER_MAGIC), C(BINFMTFS_MAGIC), C(BPF_FS_MAGIC),
	C(BTRFS_SUPER_MAGIC), C(CEPH_SUPER_MAGIC), C(CGROUP2_SUPER_MAGIC),
	C(CGROUP_SUPER_MAGIC), C(CODA_SUPER_MAGIC), C(CRAMFS_MAGIC), C(DEBUGFS_MAGIC),
	C(DEVPTS_SUPER_MAGIC), C(ECRYPTFS_SUPER_MAGIC), C(EFIVARFS_MAGIC), C(EFS_SUPER_MAGIC),
	C(EROFS_SUPER_MAGIC_V1), C(EXT2_SUPER_MAGIC), C(F2FS_SUPER_MAGIC), C(FUSE_SUPER_MAGIC),
	C(HOSTFS_SUPER_MAGIC), C(HPFS_SUPER_MAGIC), C(HUGETLBFS_MAGIC), C(ISOFS_SUPER_MAGIC),
	C(JFFS2_SUPER_MAGIC), C(MINIX_SUPER_MAGIC), C(MINIX2_SUPER_MAGIC),
	C(MINIX3_SUPER_MAGIC), C(MSDOS_SUPER_MAGIC), C(NCP_SUPER_MAGIC), C(NFS_SUPER_MAGIC),
	C(NILFS_SUPER_MAGIC), C(NSFS_MAGIC), C(OCFS2_SUPER_MAGIC), C(OPENPROM_SUPER_MAGIC),
	C(OVERLAYFS_SUPER_MAGIC), C(PIPEFS_MAGIC), C(PROC_SUPER_MAGIC), C(PSTOREFS_MAGIC),
	C(QNX4_SUPER_MAGIC), C(QNX6_SUPER_MAGIC), C(RAMFS_MAGIC), C(REISERFS_SUPER_MAGIC),
	C(SECURITYFS_MAGIC), C(SELINUX_MAGIC), C(SMACK_MAGIC), C(SMB2_SUPER_MAGIC),
	C(CIFS_SUPER_MAGIC), C(SMB_SUPER_MAGIC), C(SOCKFS_MAGIC), C(SQUASHFS_MAGIC),
	C(SYSFS_MAGIC), C(TMPFS_MAGIC), C(TRACEFS_MAGIC), C(UDF_SUPER_MAGIC), C(V9FS_MAGIC),
	C(XENFS_SUPER_MAGIC), C(XFS_SUPER_MAGIC), C(ZONEFS_MAGIC),
};

static const struct kt_label flock_of[] = {
	C(LOCK_SH), C(LOCK_EX), C(LOCK_NB), C(LOCK_UN),
};

static const struct kt_label fsconfig_of[] = {
	C(FSCONFIG_SET_FLAG), C(FSCONFIG_SET_STRING), C(FSCONFIG_SET_BINARY),
	C(FSCONFIG_SET_PATH), C(FSCONFIG_SET_PATH_EMPTY), C(FSCONFIG_SET_FD),
	C(FSCONFIG_CMD_CREATE), C(FSCONFIG_CMD_RECONFIGURE), {8, "FSCONFIG_CMD_CREATE_EXCL"},
};

static const struct kt_label fsmount_of[] = {
	C(FSMOUNT_CLOEXEC),
};

static const struct kt_label fsopen_of[] = {
	C(FSOPEN_CLOEXEC),
};

static const struct kt_label fspick_of[] = {
	C(FSPICK_CLOEXEC), C(FSPICK_SYMLINK_NOFOLLOW), C(FSPICK_NO_AUTOMOUNT),
	C(FSPICK_EMPTY_PATH),
};

static const struct kt_label handle_of[] = {
	{0x200, "AT_HANDLE_FID"}, {0x1, "AT_HANDLE_MNT_ID_UNIQUE"},
	{0x2, "AT_HANDLE_CONNECTABLE"}, C(AT_SYMLINK_FOLLOW), C(AT_EMPTY_PATH),
};

static const struct kt_label inode_flags_of[] = {
	C(FS_SECRM_FL), C(FS_UNRM_FL), C(FS_COMPR_FL), C(FS_SYNC_FL), C(FS_IMMUTABLE_FL),
	C(FS_APPEND_FL), C(FS_NODUMP_FL), C(FS_NOATIME_FL), C(FS_DIRTY_FL), C(FS_COMPRBLK_FL),
	C(FS_NOCOMP_FL), C(FS_ENCRYPT_FL), C(FS_INDEX_FL), C(FS_IMAGIC_FL), C(FS_JOURNAL_DATA_FL),
	C(FS_NOTAIL_FL), C(FS_DIRSYNC_FL), C(FS_TOPDIR_FL), C(FS_HUGE_FILE_FL), C(FS_EXTENT_FL),
	C(FS_VERITY_FL), C(FS_EA_INODE_FL), C(FS_EOFBLOCKS_FL), C(FS_NOCOW_FL), C(FS_DAX_FL),
	C(FS_INLINE_DATA_FL), C(FS_PROJINHERIT_FL), C(FS_CASEFOLD_FL), {FS_RESERVED_FL, "FS_RESERVED_FL"},
};

static const struct kt_label inode_xflags_of[] = {
	C(FS_XFLAG_REALTIME), C(FS_XFLAG_PREALLOC), C(FS_XFLAG_IMMUTABLE), C(FS_XFLAG_APPEND),
	C(FS_XFLAG_SYNC), C(FS_XFLAG_NOATIME), C(FS_XFLAG_NODUMP), C(FS_XFLAG_RTINHERIT),
	C(FS_XFLAG_PROJINHERIT), C(FS_XFLAG_NOSYMLINKS), C(FS_XFLAG_EXTSIZE),
	C(FS_XFLAG_EXTSZINHERIT), C(FS_XFLAG_NODEFRAG), C(FS_XFLAG_FILESTREAM), C(FS_XFLAG_DAX),
	C(FS_XFLAG_COWEXTSIZE), {FS_XFLAG_HASATTR, "FS_XFLAG_HASATTR"},
};

static const struct kt_label inotify_of[] = {
	C(IN_ACCESS), C(IN_MODIFY), C(IN_ATTRIB), C(IN_CLOSE_WRITE), C(IN_CLOSE_NOWRITE),
	C(IN_OPEN), C(IN_MOVED_FROM), C(IN_MOVED_TO), C(IN_CREATE), C(IN_DELETE),
	C(IN_DELETE_SELF), C(IN_MOVE_SELF), C(IN_UNMOUNT), C(IN_Q_OVERFLOW), C(IN_IGNORED),
	C(IN_ONLYDIR), C(IN_DONT_FOLLOW), C(IN_EXCL_UNLINK), C(IN_MASK_CREATE), C(IN_MASK_ADD),
	C(IN_ISDIR), C(IN_ONESHOT),
};

static const struct kt_label inotify_init_of[] = {
	C(IN_NONBLOCK), C(IN_CLOEXEC),
};

static const struct kt_label lock_of[] = {
	C(F_RDLCK), C(F_WRLCK), C(F_UNLCK),
};

static const struct kt_label memfd_of[] = {
	C(MFD_CLOEXEC), C(MFD_ALLOW_SEALING), C(MFD_HUGETLB),
};

static const struct kt_label mode_of[] = {
	C(S_IFSOCK), C(S_IFLNK), C(S_IFREG), C(S_IFBLK), C(S_IFDIR), C(S_IFCHR), C(S_IFIFO),
	C(S_ISUID), C(S_ISGID), C(S_ISVTX),
};

static const struct kt_label mount_of[] = {
	{0xc0ed0000, "MS_MGC_VAL"}, C(MS_RDONLY), C(MS_NOSUID), C(MS_NODEV), C(MS_NOEXEC), C(MS_SYNCHRONOUS), C(MS_REMOUNT),
	C(MS_MANDLOCK), C(MS_DIRSYNC), {256, "MS_NOSYMFOLLOW"}, C(MS_NOATIME), C(MS_NODIRATIME),
	C(MS_BIND), C(MS_MOVE), C(MS_REC), C(MS_SILENT), C(MS_POSIXACL), C(MS_UNBINDABLE),
	C(MS_PRIVATE), C(MS_SLAVE), C(MS_SHARED), C(MS_RELATIME), C(MS_KERNMOUNT),
	C(MS_I_VERSION), C(MS_STRICTATIME), C(MS_LAZYTIME), {1 << 26, "MS_SUBMOUNT"},
	{1 << 27, "MS_NOREMOTELOCK"}, {1 << 28, "MS_NOSEC"}, {1 << 29, "MS_BORN"},
	C(MS_ACTIVE), {1u << 31, "MS_NOUSER"},
};

static const struct kt_label mount_attr_of[] = {
	C(MOUNT_ATTR_RDONLY), C(MOUNT_ATTR_NOSUID), C(MOUNT_ATTR_NODEV), C(MOUNT_ATTR_NOEXEC),
	C(MOUNT_ATTR_NOATIME), C(MOUNT_ATTR_STRICTATIME),
	C(MOUNT_ATTR_NODIRATIME), C(MOUNT_ATTR_IDMAP), {0x200000, "MOUNT_ATTR_NOSYMFOLLOW"},
};

static const struct kt_label move_mount_of[] = {
	C(MOVE_MOUNT_F_SYMLINKS), C(MOVE_MOUNT_F_AUTOMOUNTS), C(MOVE_MOUNT_F_EMPTY_PATH),
	C(MOVE_MOUNT_T_SYMLINKS), C(MOVE_MOUNT_T_AUTOMOUNTS), C(MOVE_MOUNT_T_EMPTY_PATH),
	{0x100, "MOVE_MOUNT_SET_GROUP"}, {0x200, "MOVE_MOUNT_BENEATH"},
};

static const struct kt_label open_of[] = {
	C(O_RDONLY), C(O_WRONLY), C(O_RDWR), C(O_ACCMODE), C(O_CREAT), C(O_EXCL), C(O_NOCTTY),
	C(O_TRUNC), C(O_APPEND), C(O_NONBLOCK), C(O_SYNC), C(O_DSYNC), C(O_ASYNC), C(O_DIRECT),
	{0100000, "O_LARGEFILE"}, C(O_TMPFILE), C(O_DIRECTORY), C(O_NOFOLLOW), C(O_NOATIME),
	C(O_CLOEXEC), C(O_PATH),
};

static const struct kt_label open_tree_of[] = {
	C(OPEN_TREE_CLONE), C(OPEN_TREE_CLOEXEC), C(AT_SYMLINK_NOFOLLOW), C(AT_REMOVEDIR),
	C(AT_SYMLINK_FOLLOW), C(AT_NO_AUTOMOUNT), C(AT_EMPTY_PATH), C(AT_RECURSIVE),
};

static const struct kt_label pipe_of[] = {
	C(O_CLOEXEC), C(O_NONBLOCK), C(O_DIRECT), C(O_EXCL),
};

static const struct kt_label propagation_of[] = {
	C(MS_UNBINDABLE), C(MS_PRIVATE), C(MS_SLAVE), C(MS_SHARED),
};

static const struct kt_label quotactl_of[] = {
	Q(Q_SYNC), Q(Q_QUOTAON), Q(Q_QUOTAOFF), Q(Q_GETFMT), Q(Q_GETINFO), Q(Q_SETINFO),
	Q(Q_GETQUOTA), Q(Q_SETQUOTA), Q(Q_GETNEXTQUOTA), Q(Q_XQUOTAON), Q(Q_XQUOTAOFF),
	Q(Q_XGETQUOTA), Q(Q_XSETQLIM), Q(Q_XGETQSTAT), Q(Q_XQUOTARM), Q(Q_XQUOTASYNC),
	Q(Q_XGETQSTATV), Q(Q_XGETNEXTQUOTA),
};

static const struct kt_label rename_of[] = {
	C(RENAME_NOREPLACE), C(RENAME_EXCHANGE), C(RENAME_WHITEOUT),
};

static const struct kt_label resolve_of[] = {
	C(RESOLVE_NO_XDEV), C(RESOLVE_NO_MAGICLINKS), C(RESOLVE_NO_SYMLINKS),
	C(RESOLVE_BENEATH), C(RESOLVE_IN_ROOT), {0x20, "RESOLVE_CACHED"},
};

static const struct kt_label rwf_of[] = {
	C(RWF_HIPRI), C(RWF_DSYNC), C(RWF_SYNC), C(RWF_NOWAIT), C(RWF_APPEND),
	{0x20, "RWF_NOAPPEND"}, {0x40, "RWF_ATOMIC"}, {0x80, "RWF_DONTCACHE"},
};

static const struct kt_label seals_of[] = {
	C(F_SEAL_SEAL), C(F_SEAL_SHRINK), C(F_SEAL_GROW), C(F_SEAL_WRITE),
	C(F_SEAL_FUTURE_WRITE), {0x20, "F_SEAL_EXEC"},
};

static const struct kt_label secret_of[] = {
	C(O_CLOEXEC),
};

static const struct kt_label splice_of[] = {
	C(SPLICE_F_MOVE), C(SPLICE_F_NONBLOCK), C(SPLICE_F_MORE), C(SPLICE_F_GIFT),
};

static const struct kt_label statfs_of[] = {
	{0x20, "ST_VALID"}, C(ST_RDONLY), C(ST_NOSUID), C(ST_NODEV), C(ST_NOEXEC),
	C(ST_SYNCHRONOUS), C(ST_MANDLOCK), C(ST_NOATIME), C(ST_NODIRATIME), C(ST_RELATIME),
	{0x2000, "ST_NOSYMFOLLOW"},
};

static const struct kt_label statx_of[] = {
	C(STATX_ALL), C(STATX_BASIC_STATS), C(STATX_TYPE), C(STATX_MODE), C(STATX_NLINK),
	C(STATX_UID), C(STATX_GID), C(STATX_ATIME), C(STATX_MTIME), C(STATX_CTIME),
	C(STATX_INO), C(STATX_SIZE), C(STATX_BLOCKS), C(STATX_BTIME), {0x1000, "STATX_MNT_ID"},
	{0x2000, "STATX_DIOALIGN"}, {0x4000, "STATX_MNT_ID_UNIQUE"}, {0x8000, "STATX_SUBVOL"},
	{0x10000, "STATX_WRITE_ATOMIC"},
};

static const struct kt_label statx_attributes_of[] = {
	C(STATX_ATTR_COMPRESSED), C(STATX_ATTR_IMMUTABLE), C(STATX_ATTR_APPEND),
	C(STATX_ATTR_NODUMP), C(STATX_ATTR_ENCRYPTED), C(STATX_ATTR_AUTOMOUNT),
	C(STATX_ATTR_MOUNT_ROOT), C(STATX_ATTR_VERITY), C(STATX_ATTR_DAX),
	{0x400000, "STATX_ATTR_WRITE_ATOMIC"},
};

static const struct kt_label statx_flags_of[] = {
	C(AT_STATX_SYNC_AS_STAT), C(AT_STATX_FORCE_SYNC), C(AT_STATX_DONT_SYNC),
	C(AT_SYMLINK_NOFOLLOW), C(AT_REMOVEDIR), C(AT_SYMLINK_FOLLOW), C(AT_NO_AUTOMOUNT),
	C(AT_EMPTY_PATH), C(AT_RECURSIVE),
};

static const struct kt_label swapon_of[] = {
	C(SWAP_FLAG_PREFER), C(SWAP_FLAG_DISCARD), {0x20000, "SWAP_FLAG_DISCARD_ONCE"},
	{0x40000, "SWAP_FLAG_DISCARD_PAGES"},
};

static const struct kt_label sync_range_of[] = {
	C(SYNC_FILE_RANGE_WAIT_BEFORE), C(SYNC_FILE_RANGE_WRITE), C(SYNC_FILE_RANGE_WAIT_AFTER),
};

static const struct kt_label umount_of[] = {
	C(MNT_FORCE), C(MNT_DETACH), C(MNT_EXPIRE), C(UMOUNT_NOFOLLOW),
};

static const struct kt_label userfaultfd_of[] = {
	C(UFFD_USER_MODE_ONLY), C(O_NONBLOCK), C(O_CLOEXEC),
};

static const struct kt_label whence_of[] = {
	C(SEEK_SET), C(SEEK_CUR), C(SEEK_END), C(SEEK_DATA), C(SEEK_HOLE),
};

static const struct kt_label xattr_of[] = {
	C(XATTR_CREATE), C(XATTR_REPLACE),
};

static const struct kt_labels tables[] = {
	FLAGS(access, 0, "?_OK"), VALUES(advice, "POSIX_FADV_???"), VALUES(at, NULL), VALUES(at_fanotify, NULL),
	FLAGS(at_flags, 0, "AT_???"), FLAGS(close_range, 0, "CLOSE_RANGE_???"),
	FLAGS(dnotify, 0, "DN_???"), FLAGS(dup, 0, "O_???"), FLAGS(faccess, 0, "AT_???"),
	FLAGS(fallocate, 0, "FALLOC_FL_???"), FLAGS(fanotify_event, 0, "FAN_???"),
	FLAGS(fanotify_init, 0xc, "FAN_???"), FLAGS(fanotify_mark, 0, "FAN_MARK_???"),
	VALUES(fcntl, "F_???"), FLAGS(fd, 0, "FD_???"), VALUES(filesystem, NULL),
	FLAGS(flock, 0, "LOCK_???"), VALUES(fsconfig, "FSCONFIG_???"),
	FLAGS(fsmount, 0, "FSMOUNT_???"), FLAGS(fsopen, 0, "FSOPEN_???"),
	FLAGS(fspick, 0, "FSPICK_???"), FLAGS(handle, 0, "AT_???"),
	FLAGS(inode_flags, 0, "FS_???_FL"), FLAGS(inode_xflags, 0, "FS_XFLAG_???"),
	FLAGS(inotify, 0, "IN_???"), FLAGS(inotify_init, 0, "IN_???"), VALUES(lock, "F_???"),
	FORMED(memfd, 0, "MFD_???", KT_LABELS_HUGE_PAGES), FLAGS(mode, S_IFMT, NULL), FLAGS(mount, 0, "MS_???"),
	FLAGS(mount_attr, 0, "MOUNT_ATTR_???"), FLAGS(move_mount, 0, "MOVE_MOUNT_???"),
	FLAGS(open, O_ACCMODE, "O_???"), FLAGS(open_tree, 0, "OPEN_TREE_???"),
	FLAGS(pipe, 0, "O_???"), VALUES(propagation, "MS_???"), {N(quotactl, "Q_???"), .form = KT_LABELS_QUOTA},
	FLAGS(rename, 0, "RENAME_???"), FLAGS(resolve, 0, "RESOLVE_???"),
	FLAGS(rwf, 0, "RWF_???"), FLAGS(seals, 0, "F_SEAL_???"), FLAGS(secret, 0, NULL),
	FLAGS(splice, 0, "SPLICE_F_???"), FLAGS(statfs, 0, "ST_???"),
	FLAGS(statx, 0, "STATX_???"), FLAGS(statx_attributes, 0, "STATX_ATTR_???"),
	FLAGS(statx_flags, AT_STATX_SYNC_TYPE, "AT_???"), FLAGS(swapon, 0, "SWAP_FLAG_???"),
	FLAGS(sync_range, 0, "SYNC_FILE_RANGE_???"), FLAGS(umount, 0, "MNT_???"),
	FLAGS(userfaultfd, 0, "UFFD_???"), VALUES(whence, "SEEK_???"),
	FLAGS(xattr, 0, "XATTR_???"),
};

/* clang-format on */

const struct kt_constants kt_constants_of_files = {tables, sizeof(tables) / sizeof(*tables)};
