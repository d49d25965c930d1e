#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls in a flight that are chosen by their arguments: of those the returns are kept, too, and
# of no others, whatever becomes of the flight meanwhile. What the callers know they were returned is
# the witness.

load flight
load tree

# What calls returned in a snapshot, each once: "-ENOENT 5".
returns() { # DIR
	"$KTRACE" print --events "$1" | sed -n 's/.* sys_exit_[a-z0-9_]*: .* ret=\([^ ]*\).*/\1/p' |
		sort | uniq -c | awk '{ print $2, $1 }' | paste -sd' '
}

# Two processes open each of three files that are not there, in turns, and each says another reason.
open_files() {
	./kt_opens -e 'my @names = ("./none", "/dev/null/none", "./" . "n" x 300);
		my $child = fork;
		for (1 .. 100) { open(my $file, "<", $_) for @names }
		waitpid($child, 0) if $child;'
}

export OF_OPENS='comm == "kt_opens" && filename'

# Into a snapshot of its own.
opens_return() { # RETURNS
	open_files
	rm -rf opened
	ktrace snapshot -o opened
	[ "$(returns opened)" = "$1" ]
}

opens() {
	ktrace start -e openat -f "$OF_OPENS == \"./none\""
	opens_return "-ENOENT 200"
	"$KTRACE" print --strace opened >printed
	[ "$(grep -c ' openat(AT_FDCWD, "./none", O_RDONLY|O_CLOEXEC' printed)" -eq 200 ]
	[ "$(grep -c ') *= -1 ENOENT (No such file or directory)$' printed)" -eq 200 ]
	[ "$("$KTRACE" report opened | grep -c 'openat where comm == .* filename == "./none"$')" -eq 2 ]
	ktrace stop
	ktrace start -e sys_exit_openat -f 'comm == "kt_opens" && ret == -ENAMETOOLONG' -e openat -f "$OF_OPENS == \"./none\""
	opens_return "-ENAMETOOLONG 200 -ENOENT 200"
	# By other processes, from what the flight says of itself.
	ktrace disable -e openat
	opens_return ""
	ktrace enable -e openat
	opens_return "-ENAMETOOLONG 200 -ENOENT 200"
	ktrace stop
	ktrace start -e openat -f "$OF_OPENS ~ \"./n*\"" -e openat -f "$OF_OPENS ~ \"*/none\""
	opens_return "-ENAMETOOLONG 200 -ENOENT 200 -ENOTDIR 200"
	[ "$(print_names opened | sort | uniq -c | awk '{ print $1 }' | paste -sd' ')" = "200 200 200" ]
	ktrace disable -e openat
	ktrace enable -e openat
	opens_return "-ENAMETOOLONG 200 -ENOENT 200 -ENOTDIR 200"
	ktrace stop
}

print_names() { # DIR
	"$KTRACE" print --events "$1" | sed -n 's/.* sys_enter_openat: .* filename="\([^"]*\)".*/\1/p'
}

@test "of calls chosen by a path the returns are kept, and of no others" {
	cp "$(type -P perl)" kt_opens
	apart opens
}

# Waits until the reader is in a call for so many bytes.
reads() { # COUNT
	await eval "[ \"\$(cut -d' ' -f4 /proc/$reader/syscall)\" = 0x$1 ]"
}

# The reader is in a chosen call, of which only the return is missed; then in one that is not
# chosen, of which only the entry is; and then in a chosen one that is recorded whole.
goes_on_behind() { # OFF ON
	reads 7
	eval "$1"
	echo c >chosen
	reads 5
	eval "$2"
	echo ooo >other
	reads 7
	echo c >chosen
	reads 5
	echo ooo >other
}

start_reader() {
	mkfifo chosen other
	./kt_reads -e 'open(my $chosen, "+<", "chosen"); open(my $other, "+<", "other");
		for (1 .. 99) { sysread($chosen, my $data, 7); sysread($other, $data, 5) }' &
	reader=$!
	trap 'kill $reader' EXIT
	reads 7
}

gaps() {
	start_reader
	ktrace start -e syscalls:read -f 'comm == "kt_reads" && count == 7' \
		--freeze-on 'sys_enter_getpgid if comm == "kt_reads"'
	echo c >chosen
	reads 5
	echo ooo >other
	goes_on_behind "ktrace pause" "ktrace resume"
	goes_on_behind "ktrace disable -e read" "ktrace enable -e read"
	goes_on_behind "./kt_reads -e 'syscall(121, 0)'" "ktrace snapshot -o frozen"
	reads 7
	ktrace snapshot -o rest
	[ "$(returns frozen)" = "2 2" ]
	[ "$(returns rest)" = "2 1" ]
	[ "$("$KTRACE" print --events frozen | grep -c sys_enter_read)" -eq 5 ]
	[ "$("$KTRACE" print --events rest | grep -c sys_enter_read)" -eq 2 ]
	ktrace stop
}

# Other entries that choose are enabled while the reader is in a chosen call.
others() {
	start_reader
	ktrace start -e syscalls:read -f 'comm == "kt_reads" && count == 7' -e openat -f "$OF_OPENS == \"./none\""
	echo c >chosen
	reads 5
	echo ooo >other
	reads 7
	ktrace disable -e openat
	ktrace snapshot -o waits
	"$KTRACE" print --strace --status unfinished waits | grep 'read([0-9]*, *<unfinished \.\.\.>$'
	echo c >chosen
	reads 5
	echo ooo >other
	reads 7
	ktrace enable -e openat
	echo c >chosen
	reads 5
	ktrace snapshot -o rest
	[ "$(returns rest)" = "2 1" ]
	[ "$("$KTRACE" print --events rest | grep -c sys_enter_read)" -eq 1 ]
	[ "$("$KTRACE" print --strace --status unfinished rest | grep -c 'read(')" -eq 0 ]
	"$KTRACE" report rest | grep -F 'sys_exit_read'
	ktrace stop
}

@test "a return that is missing as other entries are enabled is no call that somebody is in" {
	cp "$(type -P perl)" kt_reads
	apart others
}

@test "what was chosen before a pause, or a freeze, is not what returns behind it" {
	cp "$(type -P perl)" kt_reads
	apart gaps
}

together() {
	local entry=sys_enter_openat return=sys_exit_openat
	ktrace start -e openat -f "$OF_OPENS == \"./none\"" -b 1M
	refused 1 disable -e "$entry"
	[ "$said" = "ktrace disable: syscalls:$return records returns of calls that $entry selects: enable and disable both together" ]
	ktrace disable -e "$return"
	opens_return ""
	[ "$(print_names opened | wc -l)" -eq 200 ]
	ktrace enable -e "$return"
	opens_return "-ENOENT 200"
	ktrace disable -e openat
	refused 1 enable -e "$return"
	ktrace enable -e "$entry"
	ktrace enable -e "$return"
	opens_return "-ENOENT 200"
	ktrace stop
}

@test "they are enabled and disabled together" {
	cp "$(type -P perl)" kt_opens
	apart together
}

by_tree() {
	local events
	ktrace start -e openat -f "$OF_OPENS == \"./none\"" -b 1M
	begin tree
	events=tree/events/syscalls
	[ "$(cat $events/*/filter | uniq)" = "$OF_OPENS == \"./none\"" ]
	[ "$(written $events/sys_enter_openat/filter "$OF_OPENS ~ \"./n*\"")" = "Device or resource busy" ]
	[ "$(written $events/sys_enter_openat/enable 0)" = "Device or resource busy" ]
	opens_return "-ENOENT 200"
	[ "$(written $events/sys_exit_openat/filter "flags == 3")" = "Invalid argument" ]
	opens_return "-ENOENT 200"
	[ "$(written $events/sys_exit_openat/filter 'comm == "kt_opens" && ret == -ENOTDIR')" = 1 ]
	opens_return "-ENOTDIR 200"
	[ "$(print_names opened | uniq)" = "./none" ]
	[ "$(written $events/sys_enter_openat/filter "$OF_OPENS ~ \"./n*\"")" = 1 ]
	opens_return "-ENOTDIR 200"
	[ "$(print_names opened | wc -l)" -eq 400 ]
	[ "$(written $events/sys_enter_openat/enable 0)" = 1 ]
	opens_return "-ENOTDIR 200"
	[ "$(print_names opened | wc -l)" -eq 0 ]
	end
	ktrace stop
}

@test "in the control tree the return gets another filter first" {
	needs_fuse
	cp "$(type -P perl)" kt_opens
	apart by_tree
}
