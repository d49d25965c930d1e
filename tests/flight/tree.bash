# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The control tree of a flight, beside flight.bash.

# Where it was started in the background somebody must unmount it, also when a test fails.
begin() { # ARG...
	mkdir -p tree
	tree=$PWD/tree
	trap 'umount -lq "$tree" || true' EXIT
	ktrace fs "${@/#tree/$tree}"
}

serving() {
	pgrep -f -- "^$KTRACE fs .*$tree" >/dev/null
}

end() {
	umount "$tree"
	await eval '! serving'
}

# Some modes, of the tree itself and of what is in it.
modes() { # PATH...
	stat -c '%A %U %G %s %n' "$@"
}

# What has become of it, as one line: 1, or the words of the error.
written() { # FILE TEXT...
	local file=$1
	shift
	{ printf '%s' "$@" >"$file"; } 2>why || {
		sed -n '$s/.*: //p' why
		return 0
	}
	echo 1
}

needs_fuse() {
	[ -e /dev/fuse ] || skip "no /dev/fuse"
}
