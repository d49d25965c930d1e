#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls selected by their arguments in a flight recorder: returns of matching calls are recorded,
# and no others, through pauses, freezes and disabled events. The callers know what their calls
# returned.

load flight
load tree

# Prints what the calls in a snapshot returned, each once: "-ENOENT 5".
print_returns() { # DIR
	"$KTRACE" print --events "$1" | sed -n 's/.* sys_exit_[a-z0-9_]*: .* ret=\([^ ]*\).*/\1/p' |
		sort | uniq -c | awk '{ print $2, $1 }' | paste -sd' '
}

# Two processes open three missing files each, in turns; each file fails with another error.
open_files() {
	./kt_opens -e 'my @names = ("./none", "/dev/null/none", "./" . "n" x 300);
		my $child = fork;
		for (1 .. 100) { open(my $file, "<", $_) for @names }
		waitpid($child, 0) if $child;'
}

export OF_OPENS='comm == "kt_opens" && filename'

# Takes a snapshot, which must have exactly these returns.
assert_returns() { # RETURNS
	open_files
	rm -rf opened
	ktrace snapshot -o opened
	[ "$(print_returns opened)" = "$1" ]
}

check_returns() {
	ktrace start -e openat -f "$OF_OPENS == \"./none\""
	assert_returns "-ENOENT 200"
	"$KTRACE" print --strace opened >printed
	[ "$(grep -c ' openat(AT_FDCWD, "./none", O_RDONLY|O_CLOEXEC' printed)" -eq 200 ]
	[ "$(grep -c ') *= -1 ENOENT (No such file or directory)$' printed)" -eq 200 ]
	[ "$("$KTRACE" report opened | grep -c 'openat where comm == .* filename == "./none"$')" -eq 2 ]
	ktrace stop
	ktrace start -e sys_exit_openat -f 'comm == "kt_opens" && ret == -ENAMETOOLONG' -e openat -f "$OF_OPENS == \"./none\""
	assert_returns "-ENAMETOOLONG 200 -ENOENT 200"
	# ktrace list, run by a process that only knows the flight's own info.
	ktrace disable -e openat
	assert_returns ""
	ktrace enable -e openat
	assert_returns "-ENAMETOOLONG 200 -ENOENT 200"
	ktrace stop
	ktrace start -e openat -f "$OF_OPENS ~ \"./n*\"" -e openat -f "$OF_OPENS ~ \"*/none\""
	assert_returns "-ENAMETOOLONG 200 -ENOENT 200 -ENOTDIR 200"
	[ "$(print_names opened | sort | uniq -c | awk '{ print $1 }' | paste -sd' ')" = "200 200 200" ]
	ktrace disable -e openat
	ktrace enable -e openat
	assert_returns "-ENAMETOOLONG 200 -ENOENT 200 -ENOTDIR 200"
	ktrace stop
}

print_names() { # DIR
	"$KTRACE" print --events "$1" | sed -n 's/.* sys_enter_openat: .* filename="\([^"]*\)".*/\1/p'
}

@test "returns of calls matching a path are recorded, and no others" {
	cp "$(type -P perl)" kt_opens
	run_on_bpffs check_returns
}

# Waits until the reader is in a read call of COUNT bytes.
await_read() { # COUNT
	await eval "[ \"\$(cut -d' ' -f4 /proc/$reader/syscall)\" = 0x$1 ]"
}

# The reader is in a matching call whose return is missed; then in another call whose entry is
# missed; then in a matching call that is recorded.
miss_and_resume() { # OFF ON
	await_read 7
	eval "$1"
	echo c >chosen
	await_read 5
	eval "$2"
	echo ooo >other
	await_read 7
	echo c >chosen
	await_read 5
	echo ooo >other
}

start_reader() {
	mkfifo chosen other
	./kt_reads -e 'open(my $chosen, "+<", "chosen"); open(my $other, "+<", "other");
		for (1 .. 99) { sysread($chosen, my $data, 7); sysread($other, $data, 5) }' &
	reader=$!
	trap 'kill $reader' EXIT
	await_read 7
}

check_missed() {
	start_reader
	ktrace start -e syscalls:read -f 'comm == "kt_reads" && count == 7' \
		--freeze-on 'sys_enter_getpgid if comm == "kt_reads"'
	echo c >chosen
	await_read 5
	echo ooo >other
	miss_and_resume "ktrace pause" "ktrace resume"
	miss_and_resume "ktrace disable -e read" "ktrace enable -e read"
	miss_and_resume "./kt_reads -e 'syscall(121, 0)'" "ktrace snapshot -o frozen"
	await_read 7
	ktrace snapshot -o rest
	[ "$(print_returns frozen)" = "2 2" ]
	[ "$(print_returns rest)" = "2 1" ]
	[ "$("$KTRACE" print --events frozen | grep -c sys_enter_read)" -eq 5 ]
	[ "$("$KTRACE" print --events rest | grep -c sys_enter_read)" -eq 2 ]
	ktrace stop
}

# Other selecting entries are enabled while the reader is in a matching call.
check_other_entries() {
	start_reader
	ktrace start -e syscalls:read -f 'comm == "kt_reads" && count == 7' -e openat -f "$OF_OPENS == \"./none\""
	echo c >chosen
	await_read 5
	echo ooo >other
	await_read 7
	ktrace disable -e openat
	ktrace snapshot -o waits
	"$KTRACE" print --strace --status unfinished waits | grep 'read([0-9]*, *<unfinished \.\.\.>$'
	echo c >chosen
	await_read 5
	echo ooo >other
	await_read 7
	ktrace enable -e openat
	echo c >chosen
	await_read 5
	ktrace snapshot -o rest
	[ "$(print_returns rest)" = "2 1" ]
	[ "$("$KTRACE" print --events rest | grep -c sys_enter_read)" -eq 1 ]
	[ "$("$KTRACE" print --strace --status unfinished rest | grep -c 'read(')" -eq 0 ]
	"$KTRACE" report rest | grep -F 'sys_exit_read'
	ktrace stop
}

@test "a return missed while other entries are enabled does not end a call" {
	cp "$(type -P perl)" kt_reads
	run_on_bpffs check_other_entries
}

@test "a match before a pause or a freeze does not select a return after it" {
	cp "$(type -P perl)" kt_reads
	run_on_bpffs check_missed
}

check_enable_together() {
	local entry=sys_enter_openat return=sys_exit_openat
	ktrace start -e openat -f "$OF_OPENS == \"./none\"" -b 1M
	assert_fails 1 disable -e "$entry"
	[ "$message" = "ktrace disable: syscalls:$return records returns of calls that $entry selects: enable and disable both together" ]
	ktrace disable -e "$return"
	assert_returns ""
	[ "$(print_names opened | wc -l)" -eq 200 ]
	ktrace enable -e "$return"
	assert_returns "-ENOENT 200"
	ktrace disable -e openat
	assert_fails 1 enable -e "$return"
	ktrace enable -e "$entry"
	ktrace enable -e "$return"
	assert_returns "-ENOENT 200"
	ktrace stop
}

@test "entry and return are enabled and disabled together" {
	cp "$(type -P perl)" kt_opens
	run_on_bpffs check_enable_together
}

check_control_tree() {
	local events
	ktrace start -e openat -f "$OF_OPENS == \"./none\"" -b 1M
	start_server tree
	events=tree/events/syscalls
	[ "$(cat $events/*/filter | uniq)" = "$OF_OPENS == \"./none\"" ]
	[ "$(try_write $events/sys_enter_openat/filter "$OF_OPENS ~ \"./n*\"")" = "Device or resource busy" ]
	[ "$(try_write $events/sys_enter_openat/enable 0)" = "Device or resource busy" ]
	assert_returns "-ENOENT 200"
	[ "$(try_write $events/sys_exit_openat/filter "flags == 3")" = "Invalid argument" ]
	assert_returns "-ENOENT 200"
	[ "$(try_write $events/sys_exit_openat/filter 'comm == "kt_opens" && ret == -ENOTDIR')" = 1 ]
	assert_returns "-ENOTDIR 200"
	[ "$(print_names opened | uniq)" = "./none" ]
	[ "$(try_write $events/sys_enter_openat/filter "$OF_OPENS ~ \"./n*\"")" = 1 ]
	assert_returns "-ENOTDIR 200"
	[ "$(print_names opened | wc -l)" -eq 400 ]
	[ "$(try_write $events/sys_enter_openat/enable 0)" = 1 ]
	assert_returns "-ENOTDIR 200"
	[ "$(print_names opened | wc -l)" -eq 0 ]
	stop_server
	ktrace stop
}

@test "in the control tree, the return can get another filter first" {
	skip_without_fuse
	cp "$(type -P perl)" kt_opens
	run_on_bpffs check_control_tree
}
