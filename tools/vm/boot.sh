#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# boot.sh DIR KERNEL [COMMAND...]: boot one of Debian's kernels (kernel.sh) in qemu, run COMMAND there
# as root in the current directory, print its output, and return its exit status. Without COMMAND, an
# interactive shell. The guest sees the machine's files; what it writes stays in the guest's memory.
#
# The status is 125 unless the guest reports another: a guest that panics or hangs has failed.
# VM_SECONDS=N  ends the guest after N seconds (default 600; a shell is not ended)
# VM_ACCEL=kvm  uses the hardware. The default, one thread that emulates both CPUs, works everywhere;
#               with a thread per CPU, qemu 7.2 runs stale code after the kernel patches a branch.
# VM_MEMORY=N   the guest's memory (default 3G)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
"$here/kernel.sh" "$1" "$2"
kernel=$(cd "$1/$2" && pwd)
shift 2
release=$(<"$kernel/release")
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT

# The initial file system: busybox, its libraries, and the modules that mount the machine's files.
mkdir -p "$run"/root/{bin,dev,lib64,modules,mnt,proc,sys}
cp /bin/busybox "$run/root/bin/"
ldd /bin/busybox | grep -o '/[^ ]*' | while read -r lib; do
	mkdir -p "$run/root${lib%/*}" && cp -L "$lib" "$run/root$lib"
done
for module in virtio_pci 9pnet_virtio 9p overlay; do
	modprobe -d "$kernel/modules.d" -S "$release" --show-depends "$module"
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' >"$run/modules"
while read -r module; do
	name=${module##*/}
	case $name in
	*.xz) xz -dc "$module" >"$run/root/modules/${name%.xz}" ;;
	*.zst) zstd -qdc "$module" >"$run/root/modules/${name%.zst}" ;;
	*) cp "$module" "$run/root/modules/" ;;
	esac
	name=${name%.xz}
	echo "${name%.zst}"
done <"$run/modules" >"$run/root/modules/order"
cp "$here/init.sh" "$run/root/init"
cp "$here/guest.sh" "$run/root/guest"
if [[ $# -eq 0 ]]; then
	read -r rows columns < <(stty size 2>/dev/null || echo 24 80)
	set -- sh -c "stty sane rows $rows cols $columns; exec bash"
	is_shell=1
else
	is_shell=0
fi
printf 'cd %q && %s\n' "$PWD" "$(printf '%q ' "$@")" >"$run/root/command"
echo "$PWD" >"$run/root/place"
(cd "$run/root" && find . | cpio -o -H newc --quiet) >"$run/initramfs"

qemu=(qemu-system-x86_64 -accel "${VM_ACCEL:-tcg,thread=single}" -cpu max -smp 2 -m "${VM_MEMORY:-3G}"
	-no-reboot -display none -monitor none -nodefaults
	-kernel "$kernel/vmlinuz" -initrd "$run/initramfs"
	-virtfs "local,path=/,mount_tag=machine,security_model=none,readonly=on,multidevs=remap"
	-virtfs "local,path=$kernel/modules.d/lib/modules,mount_tag=modules,security_model=none,readonly=on"
	-serial "file:$run/console" -serial stdio -serial "file:$run/status"
	-append "console=ttyS0 panic=-1 loglevel=7")
if [[ $is_shell -eq 1 ]]; then
	trap 'stty sane; rm -rf "$run"' EXIT
	stty -echo -icanon -isig
	"${qemu[@]}" || true
else
	timeout -k 5 "${VM_SECONDS:-600}" "${qemu[@]}" </dev/null | sed -u 's/\r$//' || true
fi
status=$(tr -d '\r\n' <"$run/status")
if [[ -z $status ]]; then
	tr -d '\r' <"$run/console" >"$kernel/console"
	echo "vm: Linux $release did not finish; its last messages, of $kernel/console:" >&2
	tail -n 80 "$kernel/console" >&2
	status=125
fi
exit "$status"
