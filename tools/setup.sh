#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# setup.sh [build|bench|vm]: install missing Debian packages: those that building ktrace needs; with
# 'bench', also the tracers that it is compared with; with 'vm', also the emulator; without an
# argument, those for tests, lint, fuzzing and the emulator. If nothing is missing, it needs neither network nor root.
set -euo pipefail

packages=(gcc libc6-dev make libbpf-dev libcapstone-dev libelf-dev libfuse3-dev libjson-c-dev
	libtraceevent-dev)
vm=(busybox cpio kmod qemu-system-x86 xz-utils zstd)
case ${1:-} in
build) ;;
bench) packages+=(babeltrace2 bpftrace linux-perf strace) ;;
vm) packages+=("${vm[@]}") ;;
*)
	packages+=(babeltrace2 bash-completion bats bpftool libcmocka-dev jq strace systemd \
		systemtap-sdt-dev)                                                   # test
	packages+=(clang-format mandoc)                                              # lint
	packages+=(clang libclang-rt-dev)                                            # fuzz
	packages+=("${vm[@]}")
	;;
esac

missing=()
for p in "${packages[@]}"; do
	[[ $(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) == installed ]] ||
		missing+=("$p")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $(id -u) -ne 0 ]]; then
	echo "setup: missing packages; as root: apt-get install ${missing[*]}" >&2
	exit 1
fi

echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt=(apt-get -q -y -o DPkg::Lock::Timeout=60)
if ! { timeout 120 "${apt[@]}" update &&
	timeout 240 "${apt[@]}" install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
	tail -n 20 "$log" >&2
	echo "setup: apt-get could not install ${missing[*]}" >&2
	exit 1
fi
