# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The control tree of a flight, beside flight.bash.

# What serves it is in the background, as $callers may be: they are to end also when a test fails.
end_served() {
	umount -lq "${tree:-}" || true
	kill ${callers:-} 2>/dev/null || true
}

begin() { # ARG...
	mkdir -p tree
	tree=$PWD/tree
	trap end_served EXIT
	ktrace fs "${@/#tree/$tree}"
}

# An instance of tracefs of our own beside it, as $theirs.
begin_theirs() {
	theirs=/sys/kernel/tracing/instances/ktrace-$$
	mkdir "$theirs"
	trap 'rmdir "$theirs"; end_served' EXIT
}

end_theirs() {
	rmdir "$theirs"
	trap end_served EXIT
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

# How many files in memory and their directories the server has open, and what of a session.
holds() { # PID
	find "/proc/$1/fd" -lname '/cpu*' -o -lname '/kept*' -o -lname '/' -o -lname '*bpf*' | wc -l
}

# A process has something of the tree's open.
is_open() { # PID
	await eval "find /proc/$1/fd -lname '$tree/*' | grep -q ."
}

# What poll(2) says in so many ms, with whom to wake it meanwhile.
polls() { # FILE MS [COMMAND...]
	perl -e 'use IO::Poll qw(POLLIN POLLOUT POLLERR POLLHUP);
		my ($path, $ms, @command) = @ARGV;
		open my $f, "<", $path or die;
		my $p = IO::Poll->new;
		$p->mask($f => POLLIN | POLLOUT);
		if (@command and not fork) { select undef, undef, undef, 0.1; exec @command }
		my $n = $p->poll($ms / 1000);
		my $is = $p->events($f);
		printf "%d%s%s%s\n", $n, $is & POLLIN ? " in" : "", $is & POLLOUT ? " out" : "",
			$is & (POLLERR | POLLHUP) ? " wrong" : "";' "$@"
}

# All that there is by now, and then it says that there is nothing.
without_waiting() { # FILE
	perl -e 'use Errno "EAGAIN";
		use Fcntl;
		sysopen my $f, $ARGV[0], O_RDONLY | O_NONBLOCK or die "$!";
		my $more;
		syswrite STDOUT, $more while sysread $f, $more, 4096;
		die "$!" if $! != EAGAIN or defined sysread $f, $more, 4096 or $! != EAGAIN;' "$1"
}

# It is no place to go to, nor to write to.
leads_nowhere() { # FILE
	[ "$(perl -e 'open my $f, "<", $ARGV[0] or die; print defined sysseek($f, 5, 0) ? "" : "$!"' "$1")" = "Illegal seek" ]
	! perl -e 'open my $f, ">>", $ARGV[0] or die "$!\n"; syswrite $f, "1" or die "$!\n"' "$1" 2>why || false
	grep -q "Invalid argument\|Permission denied" why
}
