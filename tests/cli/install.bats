#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# make install of the program already built: it must not be built again.

make_to_root() { # TARGET
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BATS_TEST_DIRNAME/../.." -o "$KTRACE" \
		O="$(dirname "$KTRACE")" DESTDIR="$BATS_TEST_TMPDIR/root" PREFIX=/usr "$1"
}

@test "make install installs program, pages, completion and unit; make uninstall removes them" {
	cd "$BATS_TEST_TMPDIR"
	mkdir root
	make_to_root install
	[ "$(root/usr/bin/ktrace version)" = "ktrace $VERSION" ]
	diff -r "$(dirname "$KTRACE")/man" root/usr/share/man/man1
	[ "$(stat -c %a root/usr/share/man/man1/ktrace.1)" = 644 ]
	cmp "$BATS_TEST_DIRNAME/../../completion/ktrace.bash" \
		root/usr/share/bash-completion/completions/ktrace
	grep -qx 'ExecStart=/usr/bin/ktrace start' root/usr/lib/systemd/system/ktrace-flight.service
	make_to_root uninstall
	[ -z "$(find root ! -type d)" ]
}
