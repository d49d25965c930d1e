#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: trace_pipe. Witnesses: who made the calls, and ftrace's trace_pipe.

load flight
load numbers
load tree

has_read() { # FILE NUMBER: it is the last that it has
	await eval "[ \"\$(tail -n 1 $1 | print_numbers)\" = $2 ]"
}

# Starts a blocking reader, $reader, that has read up to NUMBER.
start_reader() { # NUMBER
	cat tree/trace_pipe >got 2>why 3>&- &
	reader=$!
	has_read got "$1"
}

check_waiting() {
	local reader
	start_numbered -b 4M
	start_server tree
	call_numbers 1 5
	start_reader 5
	call_numbers 6 20000
	has_read got 20000
	# No other reader waits.
	[ "$(<tree/tracing_on)" = 1 ]
	print_numbers tree/trace | cmp - <(seq 20000)
	call_numbers 20001 20002
	has_read got 20002
	kill -0 "$reader"
	print_numbers got | cmp - <(seq 20002)
	# A killed reader ends at once, and the next one reads on.
	kill -INT "$reader" || true
	kill "$reader"
	! wait "$reader" || false
	call_numbers 20003 20009
	timeout 1 cat tree/trace_pipe >more || [ $? -eq 124 ]
	print_numbers more | cmp - <(seq 20003 20009)
	timeout -s KILL 0.2 cat tree/trace_pipe >more || [ $? -eq 137 ]
	[ ! -s more ]
	# Reading consumed nothing: a snapshot still has the records.
	ktrace snapshot -o s
	[ "$(babeltrace2 s | wc -l)" -eq 20009 ]
	call_numbers 20010 20019
	ktrace snapshot -o t
	call_numbers 20020 20021
	start_reader 20021
	# The reader ends with the flight and has all of it.
	call_numbers 20022 20023
	ktrace stop
	wait "$reader"
	print_numbers got | cmp - <(seq 20010 20023)
	[ "$(ls tree | xargs)" = "error_log version" ]
	# A flight of the same name started later is a different one.
	start_numbered -b 64K
	call_numbers 3 4
	start_reader 4
	call_numbers 5 5
	ktrace stop
	wait "$reader"
	print_numbers got | cmp - <(seq 3 5)
	stop_server
}

@test "lines arrive as events happen, once each, until the flight ends" {
	skip_without_fuse
	run_on_bpffs check_waiting
}

check_reading() { # GAP ARG...
	local reader caller gap=$1 before
	shift
	start_numbered "$@"
	start_server tree
	call_numbers 1 1
	start_reader 1
	call_numbers_on "$(list_cpus | tail -n 1)" 2 399999 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		ktrace snapshot -o "s$((++n))"
		# If buffers are swapped twice between reads, the records between are lost.
		before=$(count_hits flight)
		[ "$gap" = none ] || await eval '[ "$(tail -n 1 got | print_numbers)" -ge "$before" ]'
	done
	wait "$caller"
	# The reader has seen the newest rings, too.
	call_numbers 400000 400000
	[ "$gap" = none ] || has_read got 400000
	ktrace stop
	wait "$reader"
	umount -l "$tree"
}

check_with_snapshots() {
	n=0
	check_reading some -b 16M
	[ "$(check_sequence got)" = "400000 0" ]
	check_reading some -b 16M --no-spare
	[ "$(check_sequence got)" = "400000 0" ]
	[ "$n" -ge 4 ]
}

check_small_rings() {
	local all lost
	n=0
	check_reading none -b 16K
	read -r all lost <<<"$(check_sequence got)"
	[ "$all" -eq 400000 ]
	[ "$lost" -gt 0 ]
	[ $(($(print_numbers got | wc -l) + lost)) -eq 400000 ]
}

@test "each event appears once or is reported as lost, also during snapshots" {
	skip_without_fuse
	run_on_bpffs check_with_snapshots
	run_on_bpffs check_small_rings
}

# The server is suspended while buffers are swapped beyond what it has read, and the flight is
# stopped.
stop_unseen() { # ARG...
	local server reader
	start_numbered -b 64K "$@"
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	call_numbers 1 3
	start_reader 3
	kill -STOP "$server"
	call_numbers 4 5
	ktrace snapshot -o "s$#"
	call_numbers 6 7
	ktrace stop
	kill -CONT "$server"
	status=0
	wait "$reader" || status=$?
	stop_server
}

check_end() {
	stop_unseen
	[ "$status" -eq 0 ]
	print_numbers got | cmp - <(seq 7)
	# Nobody has opened the rings made meanwhile.
	stop_unseen --no-spare
	[ "$status" -eq 1 ]
	grep -q "Stale file handle" why
	print_numbers got | cmp - <(seq 5)
}

@test "the pipe ends with all records, or with an error" {
	skip_without_fuse
	run_on_bpffs check_end
}

# Each line goes to one reader, whole.
check_sharing() {
	local readers=() i
	start_numbered -b 4M
	start_server tree
	for i in 1 2 3 4; do
		cat tree/trace_pipe >"got$i" 3>&- &
		readers+=($!)
	done
	# Also with small reads.
	dd if=tree/trace_pipe bs=150 of=got5 status=none 3>&- &
	readers+=($!)
	for i in "${readers[@]}"; do has_open_file "$i"; done
	call_numbers 1 60000
	ktrace stop
	wait "${readers[@]}"
	[ "$(cat got? | wc -l)" -eq 60000 ]
	print_numbers got? | sort -n | cmp - <(seq 60000)
	[ "$(find . -name 'got?' -size +0 | wc -l)" -ge 2 ]
	stop_server
}

@test "readers share the lines" {
	skip_without_fuse
	run_on_bpffs check_sharing
}

# Makes five events, in ktrace's pipe or in ftrace's.
make_events() { # WHERE
	if [ "$1" = tree ]; then
		call_numbers 1 5
	else
		for _ in 1 2 3 4 5; do echo "pid=1000000009" >"$1/trace_marker"; done
	fi
}

start_both() {
	start_numbered -b 64K "$@"
	start_server tree
	create_instance
}

stop_both() {
	remove_instance
	stop_server
	ktrace stop
}

count_lines() { # FILE
	grep -c "pid=1000000009\|pid=100000000[1-5]" "$1" || true
}

check_like_tracefs() {
	local f reader
	start_both
	for f in tree "$theirs"; do
		make_events "$f"
		# Non-blocking reads.
		read_nonblocking "$f/trace_pipe" >there
		[ "$(count_lines there)" -eq 5 ]
		read_nonblocking "$f/trace_pipe" >there
		[ ! -s there ]
		assert_no_seek_or_write "$f/trace_pipe"
	done

	# While nothing records: a reader that has read something gets end-of-file, another one
	# waits.
	for f in tree "$theirs"; do
		timeout 10 cat "$f/trace_pipe" >got 3>&- &
		reader=$!
		make_events "$f"
		await eval '[ "$(count_lines got)" -eq 5 ]'
		echo 0 >"$f/tracing_on"
		# ftrace's file blocks before the first event.
		[ "$f" = tree ] || kill "$reader"
		wait "$reader" || [ "$f" != tree ]
		[ "$(wc -l <got)" -eq 5 ]
		timeout 0.3 cat "$f/trace_pipe" >got || [ $? -eq 124 ]
		[ ! -s got ]
		timeout 10 cat "$f/trace_pipe" >got 3>&- &
		reader=$!
		sleep 0.2
		echo 1 >"$f/tracing_on"
		make_events "$f"
		await eval '[ "$(count_lines got)" -eq 5 ]'
		kill "$reader"
		! wait "$reader" || false
		echo 1 >"$f/tracing_on"
	done
	stop_both
}

@test "non-blocking reads, seek, write and end-of-file behave as in tracefs" {
	skip_without_fuse
	run_on_bpffs check_like_tracefs
}

check_poll() {
	local f
	start_both
	hits="$(declare -f make_events call_numbers); make_events"
	for f in tree "$theirs"; do
		[ "$(poll_file "$f/trace_pipe" 0)" = 0 ]
		[ "$(poll_file "$f/trace_pipe" 200)" = 0 ]
		[ "$(poll_file "$f/trace_pipe" 20000 "bash" -c "$hits $f")" = "1 in" ]
		[ "$(poll_file "$f/trace_pipe" 0)" = "1 in" ]
		[ "$(timeout 1 cat "$f/trace_pipe" | count_lines -)" = 5 ]
		[ "$(poll_file "$f/trace_pipe" 0)" = 0 ]
		[ "$(poll_file "$f/trace" 0)" = "1 in out" ]
		[ "$(poll_file "$f/tracing_on" 0)" = "1 in out" ]
	done
	# Several pollers are woken, then one reads: ftrace admits only one.
	poll_file tree/trace_pipe 20000 >told1 3>&- &
	poll_file tree/trace_pipe 20000 >told2 3>&- &
	poll_file tree/trace_pipe 100 >told3
	[ "$(<told3)" = 0 ]
	make_events tree
	await eval '[ "$(cat told1 told2 | xargs)" = "1 in 1 in" ]'
	timeout 1 cat tree/trace_pipe >got || [ $? -eq 124 ]
	# End-of-file is readable, too.
	poll_file tree/trace_pipe 20000 "$KTRACE" stop >told1
	[ "$(<told1)" = "1 in" ]
	start_numbered
	stop_both
}

@test "poll reports readable data" {
	skip_without_fuse
	run_on_bpffs check_poll
}

# A slow reader, one that has left, and no reader.
check_memory() {
	local server reader caller most=0 is
	start_numbered -b 4M
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	memory_bytes() { # of the server's memory files
		find -L "/proc/$server/fd" -maxdepth 1 -type f -links 1 -size +3M -printf '%i %s\n' 2>gone |
			sort -u | awk '{ sum += $2 } END { print sum + 0 }' || true
	}
	call_numbers 1 60000
	exec 5<tree/trace_pipe
	head -c 1000 <&5 >first
	[ "$(list_open "$server")" -gt 0 ]
	# Unread data survives the end of the flight for as long as the file is open.
	sleep 1.2
	call_numbers 60001 60009
	ktrace stop
	await eval '[ "$(ls tree | xargs)" = "error_log version" ]'
	perl -e 'print while sysread STDIN, $_, 4096' <&5 >rest
	cat first rest | print_numbers - | cmp - <(seq 60009)
	exec 5<&-
	await eval '[ "$(list_open "$server")" -eq 0 ]'

	# Read data is freed soon: 16 MiB being written and 16 MiB being read, of some 100 MB.
	start_numbered -b 4M
	cat tree/trace_pipe >got 3>&- &
	reader=$!
	(
		for ((n = 0; n < 1500000; n += 60000)); do
			call_numbers $((n + 1)) $((n + 60000)) 60000
			has_read got $((n + 60000))
		done
	) 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		is=$(memory_bytes)
		[ "$is" -lt "$most" ] || most=$is
	done
	[ "$most" -gt 4000000 ]
	[ "$most" -lt 45000000 ]
	has_read got 1500000
	[ "$(check_sequence got)" = "1500000 0" ]
	kill "$reader"
	await eval '[ "$(list_open "$server")" -eq 0 ]'
	# The next reader continues there.
	call_numbers 8 9
	timeout 1 cat tree/trace_pipe >got || [ $? -eq 124 ]
	print_numbers got | cmp - <(seq 8 9)
	stop_server
	ktrace stop
}

@test "lines are kept until they are read, no longer, and only from the last reader's position" {
	skip_without_fuse
	run_on_bpffs check_memory
}

check_unmount() {
	local reader server
	start_numbered -b 64K
	start_server tree
	call_numbers 1 5
	# A waiting reader gets end-of-file when the server unmounts.
	start_reader 5
	! umount "$tree" 2>why || false
	grep -q "busy" why
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	kill "$server"
	wait "$reader"
	await eval '! is_serving'
	[ -z "$(ls tree)" ]
	# If the server is killed, it gets an error instead of blocking.
	start_server tree
	start_reader 5
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	kill -9 "$server"
	! wait "$reader" || false
	umount "$tree"
	ktrace stop
}

@test "waiting readers are released when the tree is unmounted" {
	skip_without_fuse
	run_on_bpffs check_unmount
}
