#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Process 1 of the guest once the machine's files are there: prepares what a running system has, runs
# the command on the second serial port, and writes its exit status to the third.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=${TERM:-linux}
umask 022

# The directory of the command may be in /tmp.
place=$(</run/place)
mkdir /run/kept
mount --bind "$place" /run/kept
mount -t tmpfs -o mode=1777 tmp /tmp
mkdir -p "$place"
mount --move /run/kept "$place"

mkdir -p /dev/pts /dev/shm
mount -t devpts -o ptmxmode=666 devpts /dev/pts
mount -t tmpfs -o mode=1777 shm /dev/shm
mount -t tmpfs tmp /var/tmp
mount -t cgroup2 cgroup /sys/fs/cgroup
mount -t bpf bpf /sys/fs/bpf
mount -t tracefs tracing /sys/kernel/tracing
ln -sf /proc/self/fd /dev/fd
ln -sf /proc/self/fd/0 /dev/stdin
ln -sf /proc/self/fd/1 /dev/stdout
ln -sf /proc/self/fd/2 /dev/stderr
modprobe -aq fuse
hostname "linux-$(uname -r | cut -d. -f1-2)" 2>/dev/null
ip link set lo up 2>/dev/null

stty -F /dev/ttyS1 -echo -onlcr 2>/dev/null
setsid -c bash /run/command </dev/ttyS1 >/dev/ttyS1 2>&1
echo $? >/dev/ttyS2
sync
echo o >/proc/sysrq-trigger
sleep 10
