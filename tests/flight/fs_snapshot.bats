#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs, snapshots by cat and echo. Who made the calls, the kernel's own counts of what happened,
# and what bpftool reads of the session are the witnesses.

load flight
load numbers
load tree

is_proposed() {
	ktrace start --no-spare -b 1M -e sched_switch -e sched_wakeup -e "$GETPGID"
	ktrace disable -e '*'
	begin tree
	cd tree
	[ "$(<snapshot_enabled)" = 0 ]
	# From here on as it was once proposed for the kernel.
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
	# In whatever state he had to wait.
	[ "$(grep -c ': sched_switch: prev_comm=ktrace-sleeper .* prev_state=[^R]* next_comm=' text)" -ge "$(<slept)" ]
	grep -q ': sched_wakeup: comm=ktrace-sleeper ' text
	[ "$(grep -vcE '^ *\S.*-[0-9]+ +\[[0-9]{3}\] +[0-9]+\.[0-9]{9}: sched_(switch|wakeup): ' text)" -eq 0 ]
	# In the order of time.
	sed -E 's/^.* +([0-9]+\.[0-9]{9}): sched_.*/\1/' text | sort -nc
	end
	ktrace stop
}

@test "a snapshot as the kernel was to make it" {
	needs_fuse
	apart is_proposed
}

# Some read a piece, from where others have read to.
read_in_pieces() {
	dd bs=1000 count=1 status=none <tree/snapshot_pipe
	dd bs=30000 count=2 status=none <tree/snapshot_pipe
	cat tree/snapshot_pipe
}

each_is_there() {
	local caller i n=0
	start_numbered -b 16M
	begin tree
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
	[ "$(hits flight)" -eq 300000 ]
	[ "$(<tree/overflow)" = 0 ]
	[ "$(grep -vc ': sys_enter_getpgid: ' text)" -eq 0 ]
	numbers text | cmp - <(seq 300000)

	# Nobody is to wait for more, and what was not read gives way to the next one.
	[ -z "$(<tree/snapshot_pipe)" ]
	for i in 1 2 3; do
		call_numbers "$i" "$i"
		echo "$i" >tree/snapshot_pipe
	done
	[ "$(numbers tree/snapshot_pipe)" = 3 ]
	end
	ktrace stop
}

@test "each call is in one snapshot, which is read once" {
	needs_fuse
	apart each_is_there
}

has_spare_or_not() {
	local bank ring
	wanted() {
		"$KTRACE" status --json | jq .spare_rings
	}
	start_numbered -b 64K --no-spare
	begin tree
	[ "$(<tree/snapshot_enabled)" = 0 ]
	[ "$(written tree/snapshot_pipe 1)" = "Device or resource busy" ]
	[ "$(written tree/snapshot_pipe 0)" = "Device or resource busy" ]
	[ "$(written tree/snapshot_pipe x)" = "Invalid argument" ]
	[ "$(written tree/snapshot_enabled x)" = "Invalid argument" ]
	[ "$(written tree/snapshot_enabled '')" = 1 ]
	[ "$(wanted)" = 0 ]
	call_numbers 1 3

	echo 1 >tree/snapshot_enabled
	[ "$(<tree/snapshot_enabled)" = 1 ]
	[ "$(wanted)" = "$(nproc)" ]
	[ -e "$PLACE/flight/bank1/cpu0" ]
	[ "$(written tree/snapshot_enabled x)" = "Invalid argument" ]
	echo 7 >tree/snapshot_enabled
	[ "$(<tree/snapshot_enabled)" = 1 ]
	ktrace snapshot -o s
	[ "$(wanted)" = "$(nproc)" ]
	[ "$(babeltrace2 s | wc -l)" -eq 3 ]

	# What was taken is not there any longer than they are.
	call_numbers 4 5
	echo 1 >tree/snapshot_pipe
	echo 0 >tree/snapshot_pipe
	[ "$(dd bs=4096 count=1 status=none <tree/snapshot_pipe | wc -l)" -eq 2 ]
	echo 1 >tree/snapshot_pipe
	call_numbers 6 9
	echo 1 >tree/snapshot_pipe
	for bank in 0 1; do
		ring[bank]=$(bpftool -j map show pinned "$PLACE/flight/bank$bank/cpu0" | jq .id)
	done
	echo 0 >tree/snapshot_enabled
	[ "$(<tree/snapshot_enabled)" = 0 ]
	[ -z "$(<tree/snapshot_pipe)" ]
	[ "$(wanted)" = 0 ]
	bank=$(cd "$PLACE/flight" && echo bank*)
	await_end map "${ring[!${bank#bank}]}"
	bpftool map show id "${ring[${bank#bank}]}"
	call_numbers 10 12
	ktrace snapshot -o s
	[ "$(babeltrace2 s | wc -l)" -eq 3 ]
	[ "$(cd "$PLACE/flight" && echo bank*)" = "bank$((!${bank#bank}))" ]
	await_end map "${ring[${bank#bank}]}"
	end
	ktrace stop
}

@test "snapshot_enabled makes the second rings and frees them" {
	needs_fuse
	apart has_spare_or_not
}

is_told_of_interrupted() {
	start_numbered -b 1M
	begin tree
	call_numbers 1 20000
	mkdir small
	mount -t tmpfs -o size=200k nodev small
	refused 1 snapshot -o small/s
	call_numbers 20001 20005
	# It is wanted yet.
	[ "$(written tree/snapshot_enabled 0)" = "Device or resource busy" ]
	[ "$(<tree/snapshot_enabled)" = 1 ]
	echo 1 >tree/snapshot_pipe
	numbers tree/snapshot_pipe | cmp - <(seq 20005)
	call_numbers 20006 20007
	echo 1 >tree/snapshot_pipe
	[ "$(numbers tree/snapshot_pipe | xargs)" = "20006 20007" ]
	echo 0 >tree/snapshot_enabled
	end
	ktrace stop
}

@test "what an interrupted snapshot was to take comes first" {
	needs_fuse
	apart is_told_of_interrupted
}

# Whichever file it is that cannot be opened: what is not in this one is in the next.
is_out_of_files() {
	local server limit i=0 failed=0 open
	start_numbered -b 64K
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	files_of() {
		ls "/proc/$server/fd"
	}
	echo 1 >tree/snapshot_pipe
	[ -z "$(<tree/snapshot_pipe)" ]
	files_of >before
	open=$(sort -n before | tail -n 1)
	for ((limit = open - 4; limit < open + 60; limit++)); do
		: $((++i))
		call_numbers "$i" "$i"
		prlimit --pid "$server" --nofile=$limit:1024
		if [ "$(written tree/snapshot_pipe 1)" != 1 ]; then
			grep -q "Too many open files" why
			: $((++failed))
			# Also where there are as many more as it takes to read what is still to be
			# taken, so that it fails behind that.
			: $((++i))
			call_numbers "$i" "$i"
			prlimit --pid "$server" --nofile=$((limit + 1 + $(nproc))):1024
			[ "$(written tree/snapshot_pipe 1)" != 1 ]
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
	numbers text | cmp - <(seq "$i")
	[ "$(files_of | wc -l)" -eq "$(wc -l <before)" ]
	end
	ktrace stop
}

@test "what could not be taken is in the next one" {
	needs_fuse
	apart is_out_of_files
}

has_no_memory() {
	local server size
	start_numbered -b 8M --no-spare
	begin tree
	call_numbers 1 5
	[ "$(<tree/snapshot_enabled)" = 0 ]
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	# For what is open there now, and once more while it is written to, but for no others.
	size=$(awk '/^VmSize/ { print $2 }' "/proc/$server/status")
	prlimit --pid "$server" --as=$(((size + (12 << 10) * $(nproc)) << 10)):unlimited
	[ "$(written tree/snapshot_enabled 1)" = "Cannot allocate memory" ]
	[ "$(<tree/snapshot_enabled)" = 0 ]
	[ "$("$KTRACE" status --json | jq .spare_rings)" = 0 ]
	prlimit --pid "$server" --as=unlimited:unlimited
	echo 1 >tree/snapshot_enabled
	echo 1 >tree/snapshot_pipe
	numbers tree/snapshot_pipe | cmp - <(seq 5)
	end
	ktrace stop
}

@test "no memory for second rings: all goes on without" {
	needs_fuse
	apart has_no_memory
}

ends_with_session() {
	local server
	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000005"
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	holds() { # files in memory
		find "/proc/$server/fd" -lname '/cpu*' | wc -l
	}
	is_stale() { # what was opened, without a look at what it is
		[ "$(perl -e 'print sysread(STDIN, $_, 9) // $!' <&5)" = "Stale file handle" ]
	}
	# What was frozen is taken, and it goes on.
	call_numbers 1 9
	echo 1 >tree/snapshot_pipe
	numbers tree/snapshot_pipe | cmp - <(seq 5)
	[ "$(<tree/enabled)" = 1 ]
	call_numbers 11 15
	echo 1 >tree/snapshot_pipe
	[ "$(holds)" -gt 0 ]
	# It waits also while nobody comes, and is gone with the session.
	sleep 1.2
	[ "$(holds)" -gt 0 ]
	exec 5<tree/snapshot_pipe
	ktrace stop
	[ "$(ls tree)" = version ]
	[ "$(holds)" -eq 0 ]
	is_stale
	start_numbered -b 64K
	is_stale
	[ -z "$(<tree/snapshot_pipe)" ]
	call_numbers 1 2
	echo 1 >tree/snapshot_pipe
	is_stale
	exec 5<&-
	numbers tree/snapshot_pipe | cmp - <(seq 2)
	[ "$(holds)" -eq 0 ]
	end
	ktrace stop
}

@test "what was taken waits to be read, as long as the session is there" {
	needs_fuse
	apart ends_with_session
}

