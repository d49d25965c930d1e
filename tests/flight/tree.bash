# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The control tree of a flight recorder. Load after flight.bash.

# Ends the server and $callers, even if a test fails.
end_served() {
	umount -lq "${tree:-}" || true
	kill ${callers:-} 2>/dev/null || true
}

start_server() { # ARG...
	mkdir -p tree
	tree=$PWD/tree
	trap end_served EXIT
	ktrace fs "${@/#tree/$tree}"
}

# Creates an ftrace instance for comparison, $theirs.
create_instance() {
	theirs=/sys/kernel/tracing/instances/ktrace-$$
	mkdir "$theirs"
	trap 'rmdir "$theirs"; end_served' EXIT
}

remove_instance() {
	rmdir "$theirs"
	trap end_served EXIT
}

is_serving() {
	pgrep -f -- "^$KTRACE fs .*$tree" >/dev/null
}

stop_server() {
	umount "$tree"
	await eval '! is_serving'
}

# Prints the modes of files in the tree.
print_modes() { # PATH...
	stat -c '%A %U %G %s %n' "$@"
}

# Writes text to a file and prints 1, or the error's words.
try_write() { # FILE TEXT...
	local file=$1
	shift
	{ printf '%s' "$@" >"$file"; } 2>why || {
		sed -n '$s/.*: //p' why
		return 0
	}
	echo 1
}

skip_without_fuse() {
	[ -e /dev/fuse ] || skip "no /dev/fuse"
}

# Prints how many memory files and directories the server has open, and which pins.
list_open() { # PID
	find "/proc/$1/fd" -lname '/cpu*' -o -lname '/rare*' -o -lname '/' -o -lname '*bpf*' | wc -l
}

# Tests whether a process has a file of the tree open.
has_open_file() { # PID
	await eval "find /proc/$1/fd -lname '$tree/*' | grep -q ."
}

# Prints the result of poll(2) after MS milliseconds; COMMAND runs meanwhile.
poll_file() { # FILE MS [COMMAND...]
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

# Reads without blocking until there is nothing more.
read_nonblocking() { # FILE
	perl -e 'use Errno "EAGAIN";
		use Fcntl;
		sysopen my $f, $ARGV[0], O_RDONLY | O_NONBLOCK or die "$!";
		my $more;
		syswrite STDOUT, $more while sysread $f, $more, 4096;
		die "$!" if $! != EAGAIN or defined sysread $f, $more, 4096 or $! != EAGAIN;' "$1"
}

# The file supports neither seeking nor writing.
assert_no_seek_or_write() { # FILE
	[ "$(perl -e 'open my $f, "<", $ARGV[0] or die; print defined sysseek($f, 5, 0) ? "" : "$!"' "$1")" = "Illegal seek" ]
	! perl -e 'open my $f, ">>", $ARGV[0] or die "$!\n"; syswrite $f, "1" or die "$!\n"' "$1" 2>why || false
	grep -q "Invalid argument\|Permission denied" why
}
