#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: snapshots with cat and echo. Witnesses: who made the calls, the kernel's own counters,
# and bpftool.

load flight
load numbers
load tree

check_proposal() {
	ktrace start --no-spare -b 1M -e sched_switch -e sched_wakeup -e "$GETPGID"
	ktrace disable -e '*'
	start_server tree
	cd tree
	[ "$(<snapshot_enabled)" = 0 ]
	# From here on, the steps of the kernel proposal (doc/history.md).
	echo 1 >snapshot_enabled
	echo 1 >events/sched/enable
	cd ..
	perl -e '$0 = "ktrace-sleeper";
		sub slept { (grep /^voluntary/, do { open my $f, "/proc/self/status"; <$f> })[0] =~ /(\d+)/; $1 }
		my $before = slept;
		select undef, undef, undef, 0.001 for 1 .. 50;
		print slept() - $before, "\n"' >slept
	cd tree
	echo 1 >snapshot_pipe
	cat snapshot_pipe >../text
	cd ..
	[ "$(<slept)" -ge 50 ]
	# In whatever state the process blocks.
	[ "$(grep -c ': sched_switch: prev_comm=ktrace-sleeper .* prev_state=[^R]* next_comm=' text)" -ge "$(<slept)" ]
	grep -q ': sched_wakeup: comm=ktrace-sleeper ' text
	[ "$(grep -vcE '^ *\S.*-[0-9]+ +\[[0-9]{3}\] +[0-9]+\.[0-9]{9}: sched_(switch|wakeup): ' text)" -eq 0 ]
	# In order of time.
	sed -E 's/^.* +([0-9]+\.[0-9]{9}): sched_.*/\1/' text | sort -nc
	stop_server
	ktrace stop
}

@test "a snapshot as in the kernel proposal" {
	skip_without_fuse
	run_on_bpffs check_proposal
}

# Several processes read pieces, each from where the last one stopped.
read_in_pieces() {
	dd bs=1000 count=1 status=none <tree/snapshot_pipe
	dd bs=30000 count=2 status=none <tree/snapshot_pipe
	cat tree/snapshot_pipe
}

check_all_calls() {
	local caller i n=0
	start_numbered -b 16M
	start_server tree
	call_numbers 1 300000 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		echo 1 >tree/snapshot_pipe
		read_in_pieces >>text
		: $((++n))
	done
	wait "$caller"
	echo 1 >tree/snapshot_pipe
	read_in_pieces >>text
	[ "$n" -ge 1 ]
	[ "$(count_hits flight)" -eq 300000 ]
	[ "$(<tree/overflow)" = 0 ]
	[ "$(grep -vc ': sys_enter_getpgid: ' text)" -eq 0 ]
	print_numbers text | cmp - <(seq 300000)

	# A non-blocking read gets no more, and unread text is replaced by the next snapshot.
	[ -z "$(<tree/snapshot_pipe)" ]
	for i in 1 2 3; do
		call_numbers "$i" "$i"
		echo "$i" >tree/snapshot_pipe
	done
	[ "$(print_numbers tree/snapshot_pipe)" = 3 ]
	stop_server
	ktrace stop
}

@test "each call is in exactly one snapshot, which is read once" {
	skip_without_fuse
	run_on_bpffs check_all_calls
}

check_snapshot_enabled() {
	local set ring
	spare_rings() {
		"$KTRACE" status --json | jq .spare_rings
	}
	start_numbered -b 64K --no-spare
	start_server tree
	[ "$(<tree/snapshot_enabled)" = 0 ]
	[ "$(try_write tree/snapshot_pipe 1)" = "Device or resource busy" ]
	[ "$(try_write tree/snapshot_pipe 0)" = "Device or resource busy" ]
	[ "$(try_write tree/snapshot_pipe x)" = "Invalid argument" ]
	[ "$(try_write tree/snapshot_enabled x)" = "Invalid argument" ]
	[ "$(try_write tree/snapshot_enabled '')" = 1 ]
	[ "$(spare_rings)" = 0 ]
	call_numbers 1 3

	echo 1 >tree/snapshot_enabled
	[ "$(<tree/snapshot_enabled)" = 1 ]
	[ "$(spare_rings)" = "$(nproc)" ]
	[ -e "$PLACE/flight/set1/cpu0" ]
	[ "$(try_write tree/snapshot_enabled x)" = "Invalid argument" ]
	echo 7 >tree/snapshot_enabled
	[ "$(<tree/snapshot_enabled)" = 1 ]
	ktrace snapshot -o s
	[ "$(spare_rings)" = "$(nproc)" ]
	[ "$(babeltrace2 s | wc -l)" -eq 3 ]

	# The snapshot exists only as long as the spare buffers.
	call_numbers 4 5
	echo 1 >tree/snapshot_pipe
	echo 0 >tree/snapshot_pipe
	[ "$(dd bs=4096 count=1 status=none <tree/snapshot_pipe | wc -l)" -eq 2 ]
	echo 1 >tree/snapshot_pipe
	call_numbers 6 9
	echo 1 >tree/snapshot_pipe
	for set in 0 1; do
		ring[set]=$(bpftool -j map show pinned "$PLACE/flight/set$set/cpu0" | jq .id)
	done
	echo 0 >tree/snapshot_enabled
	[ "$(<tree/snapshot_enabled)" = 0 ]
	[ -z "$(<tree/snapshot_pipe)" ]
	[ "$(spare_rings)" = 0 ]
	set=$(cd "$PLACE/flight" && echo set*)
	await_freed map "${ring[!${set#set}]}"
	bpftool map show id "${ring[${set#set}]}"
	call_numbers 10 12
	ktrace snapshot -o s
	[ "$(babeltrace2 s | wc -l)" -eq 3 ]
	[ "$(cd "$PLACE/flight" && echo set*)" = "set$((!${set#set}))" ]
	await_freed map "${ring[${set#set}]}"
	stop_server
	ktrace stop
}

@test "snapshot_enabled allocates and frees the spare buffers" {
	skip_without_fuse
	run_on_bpffs check_snapshot_enabled
}

check_interrupted() {
	start_numbered -b 1M
	start_server tree
	call_numbers 1 20000
	mkdir small
	mount -t tmpfs -o size=200k nodev small
	assert_fails 1 snapshot -o small/s
	call_numbers 20001 20005
	# It is still pending.
	[ "$(try_write tree/snapshot_enabled 0)" = "Device or resource busy" ]
	[ "$(<tree/snapshot_enabled)" = 1 ]
	echo 1 >tree/snapshot_pipe
	print_numbers tree/snapshot_pipe | cmp - <(seq 20005)
	call_numbers 20006 20007
	echo 1 >tree/snapshot_pipe
	[ "$(print_numbers tree/snapshot_pipe | xargs)" = "20006 20007" ]
	echo 0 >tree/snapshot_enabled
	stop_server
	ktrace stop
}

@test "data of an interrupted snapshot comes first" {
	skip_without_fuse
	run_on_bpffs check_interrupted
}

# Whichever file cannot be opened, what is missing from this snapshot is in the next.
check_no_descriptors() {
	local server limit i=0 failed=0 open
	start_numbered -b 64K
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	list_files() {
		ls "/proc/$server/fd"
	}
	echo 1 >tree/snapshot_pipe
	[ -z "$(<tree/snapshot_pipe)" ]
	list_files >before
	open=$(sort -n before | tail -n 1)
	for ((limit = open - 4; limit < open + 60; limit++)); do
		: $((++i))
		call_numbers "$i" "$i"
		prlimit --pid "$server" --nofile=$limit:1024
		if [ "$(try_write tree/snapshot_pipe 1)" != 1 ]; then
			grep -q "Too many open files" why
			: $((++failed))
			# Also with so many descriptors that only the last step fails.
			: $((++i))
			call_numbers "$i" "$i"
			prlimit --pid "$server" --nofile=$((limit + 1 + $(nproc))):1024
			[ "$(try_write tree/snapshot_pipe 1)" != 1 ]
			prlimit --pid "$server" --nofile=1024:1024
			: $((++i))
			call_numbers "$i" "$i"
			echo 1 >tree/snapshot_pipe
		fi
		prlimit --pid "$server" --nofile=1024:1024
		cat tree/snapshot_pipe >>text
	done
	[ "$failed" -ge 8 ]
	[ "$failed" -lt 60 ]
	print_numbers text | cmp - <(seq "$i")
	[ "$(list_files | wc -l)" -eq "$(wc -l <before)" ]
	stop_server
	ktrace stop
}

@test "data that could not be copied is in the next snapshot" {
	skip_without_fuse
	run_on_bpffs check_no_descriptors
}

check_no_memory() {
	local server size
	start_numbered -b 8M --no-spare
	start_server tree
	call_numbers 1 5
	[ "$(<tree/snapshot_enabled)" = 0 ]
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	# Enough for what is open there, and once more for the copy, and no more.
	size=$(awk '/^VmSize/ { print $2 }' "/proc/$server/status")
	prlimit --pid "$server" --as=$(((size + (12 << 10) * $(nproc)) << 10)):unlimited
	[ "$(try_write tree/snapshot_enabled 1)" = "Cannot allocate memory" ]
	[ "$(<tree/snapshot_enabled)" = 0 ]
	[ "$("$KTRACE" status --json | jq .spare_rings)" = 0 ]
	prlimit --pid "$server" --as=unlimited:unlimited
	echo 1 >tree/snapshot_enabled
	echo 1 >tree/snapshot_pipe
	print_numbers tree/snapshot_pipe | cmp - <(seq 5)
	stop_server
	ktrace stop
}

@test "without memory for spare buffers, recording goes on" {
	skip_without_fuse
	run_on_bpffs check_no_memory
}

check_end() {
	local server
	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000005"
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	list_memory_files() { # memory files
		find "/proc/$server/fd" -lname '/cpu*' | wc -l
	}
	is_stale() { # tests for ESTALE without fstat
		[ "$(perl -e 'print sysread(STDIN, $_, 9) // $!' <&5)" = "Stale file handle" ]
	}
	# A frozen flight is consumed and resumes.
	call_numbers 1 9
	echo 1 >tree/snapshot_pipe
	print_numbers tree/snapshot_pipe | cmp - <(seq 5)
	[ "$(<tree/enabled)" = 1 ]
	call_numbers 11 15
	echo 1 >tree/snapshot_pipe
	[ "$(list_memory_files)" -gt 0 ]
	# The snapshot waits while nobody reads, and is gone with the flight.
	sleep 1.2
	[ "$(list_memory_files)" -gt 0 ]
	exec 5<tree/snapshot_pipe
	ktrace stop
	[ "$(ls tree | xargs)" = "error_log version" ]
	[ "$(list_memory_files)" -eq 0 ]
	is_stale
	start_numbered -b 64K
	is_stale
	[ -z "$(<tree/snapshot_pipe)" ]
	call_numbers 1 2
	echo 1 >tree/snapshot_pipe
	is_stale
	exec 5<&-
	print_numbers tree/snapshot_pipe | cmp - <(seq 2)
	[ "$(list_memory_files)" -eq 0 ]
	stop_server
	ktrace stop
}

@test "a snapshot waits to be read while the flight exists" {
	skip_without_fuse
	run_on_bpffs check_end
}

