// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the system calls of files, by name and by descriptor, that leave the machine unchanged,
 * with valid and invalid arguments: pointers to nowhere, bad descriptors, endless lengths. For
 * tests/live/strace/lines.bats.
 *
 *	files        in an empty directory; creates files there, and removes them
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/xattr.h>

#include "call.h"

static void call_with_names(void)
{
	static char target[] = "file", other[] = "other", dir[] = "dir", missing[] = "missing";
	static char endless[PATH_MAX + 100];
	static char odd[] = "a\n\"\\\t\x01"
			    "7\xff";

	memset(endless, 'x', sizeof endless - 1);
	call(creat, target, 0644);
	call(open, target, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	call(open, missing, O_RDONLY);
	call(open, NOWHERE, O_WRONLY | O_APPEND);
	call(open, KERNEL, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	call(open, odd, O_RDONLY);
	call(open, "", O_PATH);
	call(openat, AT_FDCWD, target, O_RDWR | O_NONBLOCK);
	call(openat, none, missing, O_WRONLY | O_CREAT | O_EXCL, 0777);
	call(access, target, R_OK | W_OK);
	call(access, missing, F_OK);
	call(faccessat, AT_FDCWD, target, X_OK);
	call(faccessat2, AT_FDCWD, target, R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
	call(mkdir, dir, 0755);
	call(mkdir, dir, 0);
	call(mkdirat, 99, dir, 01777);
	call(link, target, other);
	call(linkat, AT_FDCWD, target, AT_FDCWD, other, AT_SYMLINK_FOLLOW);
	call(unlink, other);
	call(unlink, NOWHERE);
	call(symlink, target, other);
	call(symlinkat, target, none, other);
	call(readlink, other, room, 100);
	call(readlink, other, room, 2);
	call(readlink, target, room, 100);
	call(readlinkat, AT_FDCWD, other, room, 100);
	call(unlinkat, AT_FDCWD, other, 0);
	call(unlinkat, AT_FDCWD, dir, AT_REMOVEDIR);
	call(rename, target, other);
	call(rename, other, target);
	call(renameat, AT_FDCWD, missing, none, KERNEL);
	call(renameat2, AT_FDCWD, missing, AT_FDCWD, target, RENAME_NOREPLACE);
	call(renameat2, AT_FDCWD, missing, AT_FDCWD, target, RENAME_EXCHANGE | RENAME_WHITEOUT);
	call(rmdir, dir);
	call(rmdir, NOWHERE);
	call(chmod, target, 04755);
	call(chmod, missing, 0);
	call(fchmodat, AT_FDCWD, target, 0640);
	call(chown, target, 0, 0);
	call(lchown, target, -1, -1);
	call(fchownat, AT_FDCWD, missing, 1, 2, AT_EMPTY_PATH);
	call(truncate, target, 100);
	call(truncate, target, -1);
	call(mknod, target, S_IFIFO | 0600, 0);
	call(mknod, target, S_IFSOCK | 07777, NOWHERE);
	call(mknodat, none, missing, S_IFREG | 0644, 0);
	call(mknodat, none, missing, S_IFCHR | 0644, 0x0501);
	call(mknodat, none, missing, 0600, 5);
	call(chdir, missing);
	call(chdir, NOWHERE);
	call(chroot, missing);
	call(setxattr, target, "user.kt", "value", 5, XATTR_CREATE);
	call(setxattr, target, "user.kt", "value", 5, 0);
	call(lsetxattr, missing, "user.kt", NOWHERE, 5, XATTR_REPLACE);
	call(fsetxattr, none, "user.kt", "v", 1, 0);
	call(getxattr, target, "user.kt", room, 100);
	call(getxattr, target, "user.none", room, 100);
	call(getxattr, target, "user.kt", 0, 0);
	call(lgetxattr, target, "user.kt", NOWHERE, 100);
	call(fgetxattr, none, "user.kt", room, 100);
	call(listxattr, target, room, 100);
	call(llistxattr, target, 0, 0);
	call(flistxattr, none, room, 100);
	call(removexattr, target, "user.kt");
	call(lremovexattr, missing, "user.kt");
	call(fremovexattr, none, "user.kt");
	call(umask, 077);
	call(umask, 022);
	call(swapoff, endless);
	call(acct, missing);
	call(pivot_root, missing, missing);
	call(umount2, missing, MNT_DETACH | UMOUNT_NOFOLLOW);
	call(mount, missing, missing, "tmpfs", MS_NOSUID | MS_RDONLY | MS_NOEXEC, NOWHERE);
	call(inotify_add_watch, none, target, IN_MODIFY | IN_ONESHOT);
	call(statfs, missing, room);
	call(statx, AT_FDCWD, missing, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, room);
	call(newfstatat, none, missing, room, AT_NO_AUTOMOUNT);
	call(stat, missing, room);
	call(lstat, NOWHERE, room);
	call(utime, missing, NOWHERE);
	call(utimes, missing, 0);
	call(futimesat, none, missing, 0);
	call(utimensat, AT_FDCWD, missing, 0, AT_SYMLINK_NOFOLLOW);
	call(open_tree, AT_FDCWD, missing, OPEN_TREE_CLONE | AT_RECURSIVE);
	call(move_mount, none, missing, none, missing, 0);
	call(fspick, AT_FDCWD, missing, 0);
	call(fsopen, missing, 0);
}

static void call_with_descriptors(void)
{
	static char file[] = "file";
	static const char text[] = "ten bytes\n";
	static struct open_how how = {.flags = O_RDONLY, .resolve = RESOLVE_BENEATH};
	static struct flock64 lock = {.l_type = F_RDLCK, .l_len = 9};
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	int pair[2];

	call(write, fd, text, 10);
	call(write, fd, text, 0);
	call(write, fd, NOWHERE, 10);
	call(write, none, text, 10);
	memset(room, 'y', 4096);
	call(write, fd, room, 4096);
	call(lseek, fd, 0, SEEK_SET);
	call(lseek, fd, -1, SEEK_CUR);
	call(lseek, fd, 0, SEEK_DATA);
	call(lseek, fd, 0, 99);
	call(read, fd, room, 10);
	call(read, fd, room, 0);
	call(read, fd, NOWHERE, 10);
	call(read, fd, KERNEL, ENDLESS);
	call(read, none, room, ENDLESS);
	call(read, fd, room, sizeof room);
	call(read, fd, room, sizeof room);
	call(pread64, fd, room, 5, 3);
	call(pread64, fd, room, 5, -1);
	call(pwrite64, fd, text, 5, 100000);
	call(pwrite64, none, text, ENDLESS, 0);
	call(sendfile, none, fd, 0, 99);
	call(copy_file_range, fd, 0, fd, 0, 10, 0);
	call(splice, fd, 0, none, 0, 10, SPLICE_F_MOVE | SPLICE_F_MORE);
	call(tee, none, none, 10, SPLICE_F_NONBLOCK);
	call(ftruncate, fd, 5);
	call(ftruncate, none, ENDLESS);
	call(fallocate, fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 0, 4096);
	call(fallocate, none, 0, 0, 1);
	call(fadvise64, fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	call(readahead, fd, 0, 4096);
	call(sync_file_range, fd, 0, 0, SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
	call(fsync, fd);
	call(fdatasync, none);
	call(syncfs, none);
	call(flock, fd, LOCK_EX | LOCK_NB);
	call(flock, fd, LOCK_UN);
	call(fchmod, fd, 0600);
	call(fchown, fd, -1, 0);
	call(fchdir, fd);
	call(getdents, fd, room, 100);
	call(getdents64, none, room, 100);
	call(dup, fd);
	call(dup, none);
	call(dup2, fd, 50);
	call(dup3, fd, 51, O_CLOEXEC);
	call(dup3, fd, fd, 0);
	call(fcntl, fd, F_DUPFD, 60);
	call(fcntl, fd, F_DUPFD_CLOEXEC, 60);
	call(fcntl, fd, F_SETLK, &lock);
	call(fcntl, fd, F_SETFD, FD_CLOEXEC);
	call(fcntl, fd, F_GETFD);
	call(fcntl, fd, F_SETFL, O_APPEND | O_NONBLOCK);
	call(fcntl, none, F_GETFL, 7);
	call(fcntl, none, F_SETOWN, -5);
	call(fcntl, none, F_GETOWN, 7);
	call(fcntl, none, F_SETSIG, SIGUSR1);
	call(fcntl, none, F_GETSIG, 7);
	call(fcntl, none, F_SETLEASE, F_RDLCK);
	call(fcntl, none, F_SETLEASE, 99);
	call(fcntl, none, F_GETLEASE, 7);
	call(fcntl, none, F_NOTIFY, DN_CREATE | DN_MULTISHOT);
	call(fcntl, none, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_WRITE);
	call(fcntl, none, F_GET_SEALS, 7);
	call(fcntl, none, F_SETPIPE_SZ, 4096);
	call(fcntl, none, F_GETPIPE_SZ, 7);
	call(fcntl, none, F_SETLK, NOWHERE);
	call(fcntl, none, 99, 77);
	call(ioctl, fd, FIONREAD, room);
	call(ioctl, none, TCGETS, room);
	call(close, 50);
	call(close, 50);
	call(close, none);
	call(close_range, 51, 70, 0);
	call(close_range, 90, 80, CLOSE_RANGE_CLOEXEC);
	call(pipe, pair);
	call(pipe, NOWHERE);
	close(pair[0]), close(pair[1]);
	call(pipe2, pair, O_NONBLOCK);
	call(pipe2, pair, 0x3);
	call(openat2, AT_FDCWD, file, &how, sizeof how);
	call(openat2, none, file, NOWHERE, sizeof how);
	call(memfd_create, "name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	call(eventfd, 5);
	call(eventfd2, 5, EFD_SEMAPHORE | EFD_NONBLOCK);
	call(timerfd_create, CLOCK_MONOTONIC, TFD_CLOEXEC);
	call(timerfd_create, 99, 0);
	call(signalfd4, none, NOWHERE, 8, SFD_CLOEXEC);
	call(inotify_init);
	call(inotify_init1, IN_NONBLOCK | IN_CLOEXEC);
	call(inotify_rm_watch, none, 5);
	call(fanotify_init, FAN_CLASS_NOTIF | FAN_NONBLOCK, O_RDONLY | O_LARGEFILE);
	call(epoll_create, 1);
	call(epoll_create, 0);
	call(fstat, none, room);
	call(fstatfs, none, room);
	call(quotactl_fd, none, 0, 0, 0);
	call(vmsplice, none, 0, 0, 0);
	call(readv, none, 0, 0);
	call(writev, fd, &(struct iovec){(void *)text, 5}, 1);
	close(fd);
	unlink(file);
}

// Buffers that are there, are nothing, and are not there; given, and taken, not all and in part.
static void call_with_vectors(void)
{
	static char text[] = "text", longer[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	struct iovec given[] = {{text, 4}, {NULL, 0}, {text, 0}, {longer, sizeof longer}};
	struct iovec partly[] = {{text, 4}, {(void *)NOWHERE, 5}, {(void *)KERNEL, 0}, {text, 4}};
	struct iovec taken[] = {{room, 3}, {room + 8, 0}, {room + 16, 35}, {room + 64, 90}};
	int pair[2], file = memfd_create("file", 0);

	if (file < 0 || pipe2(pair, O_NONBLOCK) < 0)
		return;
	call(writev, pair[1], given, 4);
	call(readv, pair[0], taken, 4);
	call(readv, pair[0], taken, 4);
	call(writev, pair[1], partly, 1);
	call(readv, pair[0], partly, 4);
	call(writev, pair[1], partly, 4);
	call(writev, pair[1], partly + 1, 3);
	call(writev, pair[1], given, 0);
	call(writev, pair[1], NOWHERE, 1);
	call(writev, none, given, 4);
	call(readv, none, partly, 4);
	call(readv, pair[0], NULL, 4);
	call(vmsplice, pair[1], given, 4, SPLICE_F_NONBLOCK);
	call(vmsplice, pair[0], taken, 1, 0);
	call(pwritev, file, given, 4, 2, 0);
	call(preadv, file, taken, 4, 0, 0);
	call(preadv, file, taken, 4, 1000, 0);
	call(pwritev2, file, given, 1, 99, 0, RWF_DSYNC);
	call(preadv2, file, taken, 4, -1, -1, 0);
	call(process_vm_writev, getpid(), given, 1, taken, 2, 0);
	call(process_vm_readv, getpid(), taken, 4, given, 4, 0);
	call(process_vm_readv, getpid(), taken, 4, partly + 1, 1, 0);
	close(file), close(pair[0]), close(pair[1]);
}

int main(void)
{
	call_with_names();
	call_with_descriptors();
	call_with_vectors();
	return 0;
}
