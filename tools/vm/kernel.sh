#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel.sh DIR KERNEL: fetch one of Debian's kernels with its modules into DIR/KERNEL, unless it is
# there: vmlinuz, modules.d/lib/modules/RELEASE, and the file `release`. Nothing is installed, and the
# machine's own package lists stay as they are. `kernel.sh` alone lists the kernels.
set -euo pipefail

# Each kernel is the newest of its suite. If a suite has moved on, its newest kernel is taken, and
# that is reported.
kernels=("6.1 bookworm" "6.12 bookworm-backports" "7.3 trixie-backports")

if [[ $# -eq 0 ]]; then
	printf '%s\n' "${kernels[@]%% *}"
	exit 0
fi
dir=$(mkdir -p "$1" && cd "$1" && pwd) kernel=$2 suite=
for k in "${kernels[@]}"; do
	[[ ${k%% *} != "$kernel" ]] || suite=${k#* }
done
if [[ -z $suite ]]; then
	echo "vm: unknown kernel '$kernel'; known: ${kernels[*]%% *}" >&2
	exit 2
fi
exec 9>"$dir/lock"
flock 9
[[ ! -e $dir/$kernel/release ]] || exit 0

# The first mirror of the machine's own sources that has Debian's main archive.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 '/debian/*$') || {
	echo "vm: no mirror of Debian in the machine's package sources" >&2
	exit 1
}

work=$dir/$kernel.part
rm -rf "$work" "${dir:?}/$kernel"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
echo "deb $mirror $suite main" >"$work/sources"
apt_options=(-q -o "Dir::Etc::SourceList=$work/sources" -o Dir::Etc::SourceParts=/dev/null
	-o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root
	-o Dir::State::Status=/dev/null)
log=$work/log

# Prints the names of the kernel's packages that a package depends on.
needs() { # PACKAGE
	apt-cache "${apt_options[@]}" depends "$1" |
		sed -n 's/^ *Depends: \(linux-\(image\|base\|binary\|modules\)-[0-9].*\)/\1/p'
}

fetch() {
	timeout 120 apt-get "${apt_options[@]}" update || return
	local image all
	image=$(needs linux-image-amd64) || return
	all=$(echo "$image" && needs "$image") || return
	cd "$work"
	echo "vm: fetching $image from $suite" >&3
	# shellcheck disable=SC2086 # names of packages have no blanks
	timeout 600 apt-get "${apt_options[@]}" download $all
}
if ! fetch 3>&2 >"$log" 2>&1; then
	tail -n 20 "$log" >&2
	echo "vm: Linux $kernel could not be fetched" >&2
	exit 1
fi

mkdir "$work/modules.d"
for deb in "$work"/*.deb; do
	dpkg-deb -x "$deb" "$work/tree"
done
# Modules are below /lib or /usr/lib, and so may be the kernel.
for d in "$work"/tree/lib/modules "$work"/tree/usr/lib/modules; do
	[[ ! -d $d ]] || { mkdir -p "$work/modules.d/lib" && cp -a "$d" "$work/modules.d/lib/"; }
done
release=$(ls "$work/modules.d/lib/modules")
cp "$(ls "$work"/tree/boot/vmlinuz-* "$work"/tree/usr/lib/modules/*/vmlinuz 2>/dev/null | head -1)" \
	"$work/vmlinuz"
depmod -b "$work/modules.d" "$release"
[[ $release == "$kernel".* ]] ||
	echo "vm: $suite no longer has Linux $kernel; using $release instead" >&2
rm -rf "$work"/tree "$work"/*.deb "$work"/lists "$work"/cache "$work"/sources "$log"
echo "$release" >"$work/release"
mv "$work" "$dir/$kernel"
