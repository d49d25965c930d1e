#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Process 1 of the guest: mounts the machine's files, read-only, below a file system in memory, and
# goes on there with guest.sh.
set -e
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read -r module; do
	insmod "/modules/$module"
done </modules/order

share=trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro
mkdir /machine /modules.d /memory
mount -t 9p -o "$share" machine /machine
mount -t 9p -o "$share" modules /modules.d
mount -t tmpfs -o size=75% memory /memory
mkdir /memory/upper /memory/work
mount -t overlay -o lowerdir=/machine,upperdir=/memory/upper,workdir=/memory/work overlay /mnt
mkdir -p /mnt/lib/modules /mnt/run
mount --move /modules.d /mnt/lib/modules
mount --move /proc /mnt/proc
mount --move /sys /mnt/sys
mount --move /dev /mnt/dev
mount -t tmpfs run /mnt/run
cp /guest /command /place /mnt/run/
exec switch_root /mnt /bin/bash /run/guest
