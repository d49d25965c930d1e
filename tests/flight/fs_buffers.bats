#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: trace_pipe_raw of each CPU. Witnesses: who made the calls, babeltrace2, and ftrace's
# trace_pipe_raw.

load flight
load numbers
load tree

# Starts a flight whose numbered calls are in the rare-event buffer, next to an event that never
# occurs.
start_rare() { # ARG...
	start_numbered "$@" --keep -e syscalls:sys_enter_getppid -f 'common_pid == 4194304'
}

# Reads each CPU's packets into a directory as they come; $readers.
start_readers() { # DIRECTORY
	local f
	mkdir "$1"
	readers=()
	for f in tree/buffers/[cr]*; do
		cat "$f" >"$1/${f##*/}" 3>&- &
		readers+=($!)
	done
	for f in "${readers[@]}"; do has_open_file "$f"; done
	cat tree/buffers/metadata >"$1/metadata"
}

# Each CPU makes calls while snapshots are taken; after each snapshot every CPU makes one call with
# a number above all others, which the readers must reach.
check_reading() { # COMMAND...
	local cpus=() callers=() cpu i=0 mark=0 n
	mapfile -t cpus < <(list_cpus)
	n=${#cpus[@]}
	"$@"
	start_server tree
	rm -rf d
	start_readers d
	for cpu in "${cpus[@]}"; do
		call_numbers_on "$cpu" $((1 + i * 60000)) $(((i + 1) * 60000)) 200 3>&- &
		callers+=($!)
		i=$((i + 1))
	done
	while kill -0 "${callers[@]}" 2>no_more; do
		ktrace snapshot -o "s$((++snapshots))"
		mark=$((mark + 1))
		for cpu in "${cpus[@]}"; do
			call_numbers_on "$cpu" $((900000000 + mark)) $((900000000 + mark))
		done
		await eval "[ \"\$(babeltrace2 d 2>gone | grep -c 'pid = 1$((900000000 + mark)) }')\" -eq $n ]"
	done
	wait "${callers[@]}"
	# Readers end with the flight and have everything.
	call_numbers_on "${cpus[0]}" $((n * 60000 + 1)) $((n * 60000 + 9))
	cat tree/buffers/metadata >metadata
	ktrace stop
	wait "${readers[@]}"
	stop_server
	[ "$mark" -ge 2 ]
	print_trace_numbers d >got
	seq $((n * 60000 + 9)) | cmp - <(grep -v '^9.......' got | sort -n)
	[ "$(grep -c '^9.......' got)" -eq $((mark * n)) ]
	# All parts are one trace, which babeltrace2 reads.
	diff <(grep uuid d/metadata) <(grep uuid metadata)
	"$KTRACE" print d | print_numbers - | cmp - got
}

check_with_snapshots() {
	snapshots=0
	check_reading start_numbered -b 16M
	check_reading start_numbered -b 16M --no-spare
	[ "$(cat d/cpu* | wc -c)" -gt 1000000 ]
}

check_rare() {
	snapshots=0
	check_reading start_rare -b 64M
	[ "$(cat d/rare* | wc -c)" -gt 1000000 ]
	[ "$(cat d/cpu* | wc -c)" -eq 0 ]
}

@test "each CPU's records come as packets, once, during snapshots, until the flight ends" {
	skip_without_fuse
	run_on_bpffs check_with_snapshots
	run_on_bpffs check_rare
}

# A reader gets records from its open on, even if buffers were swapped before its first read.
check_opening() {
	local cpu
	cpu=$(list_cpus | tail -n 1)
	start_numbered -b 64K
	start_server tree
	mkdir d
	call_numbers_on "$cpu" 1 2
	ktrace snapshot -o s
	call_numbers_on "$cpu" 3 4
	exec 5<tree/trace_pipe 6<"tree/buffers/cpu$cpu"
	call_numbers_on "$cpu" 5 6
	ktrace snapshot -o t
	call_numbers_on "$cpu" 7 8
	cat tree/buffers/metadata >d/metadata
	cat <&5 >got 3>&- &
	cat <&6 >"d/cpu$cpu" 3>&- &
	exec 5<&- 6<&-
	await test -s got # cat calls fstat before it reads
	await test -s "d/cpu$cpu"
	ktrace stop
	wait
	print_numbers got | cmp - <(seq 3 8)
	print_trace_numbers d | cmp - <(seq 3 8)
	stop_server
}

@test "a reader starts with what is in the rings when it opens the file" {
	skip_without_fuse
	run_on_bpffs check_opening
}

check_overwritten() {
	local all lost cpu
	cpu=$(list_cpus | tail -n 1)
	start_numbered -b 16K
	start_server tree
	call_numbers_on "$cpu" 1 1
	start_readers d
	await eval '[ "$(babeltrace2 d 2>gone | wc -l)" -eq 1 ]'
	call_numbers_on "$cpu" 2 400000
	ktrace stop
	wait "${readers[@]}"
	stop_server
	"$KTRACE" print d >got
	read -r all lost <<<"$(check_sequence got)"
	[ "$all" -eq 400000 ]
	[ "$lost" -gt 0 ]
	babeltrace2 d >got 2>told_there
	[ "$(($(wc -l <got) + lost))" -eq 400000 ]
	grep -q "discarded" told_there
	# Only records of this CPU.
	[ "$(find d -name 'cpu*' -size +0 | xargs)" = "d/cpu$cpu" ]
}

@test "records overwritten before being read are reported as lost" {
	skip_without_fuse
	run_on_bpffs check_overwritten
}

# Writes the result of each read(2) of SIZE bytes to a file: whole packets.
read_packets() { # FILE SIZE TO
	exec perl -e 'my ($path, $size, $to) = @ARGV;
		open my $f, "<:raw", $path or die;
		open my $t, ">:raw", $to or die;
		while (my $n = sysread $f, my $bytes, $size) {
			for (my $at = 0; $at < $n; $at += $packet) {
				my ($magic, @head) = unpack "L S10 Q4", substr $bytes, $at, 64;
				die "$at of $n" if $magic != 0xc1fc1fc1;
				$packet = $head[13] / 8;
				die "$packet at $at of $n" if $at + $packet > $n;
			}
			syswrite $t, $bytes;
		}
		die "$!" if $!{ESTALE};' "$@"
}

# Several readers share the packets; each gets whole ones.
check_sharing() {
	local readers=() i size=(131072 70000 1048576 131072) cpu
	cpu=$(list_cpus | tail -n 1)
	start_numbered -b 4M
	start_server tree
	cat tree/buffers/metadata >metadata
	for i in 0 1 2 3; do
		mkdir "d$i"
		cp metadata "d$i/metadata"
		read_packets "tree/buffers/cpu$cpu" "${size[i]}" "d$i/cpu$cpu" 3>&- &
		readers+=($!)
	done
	for i in "${readers[@]}"; do has_open_file "$i"; done
	call_numbers_on "$cpu" 1 60000
	ktrace stop
	for i in "${readers[@]}"; do wait "$i"; done
	print_trace_numbers d? | sort -n | cmp - <(seq 60000)
	[ "$(find d? -name 'cpu*' -size +0 | wc -l)" -ge 2 ]
	stop_server
}

# Reads of any size: a header and the rest; after a short read another reader gets the rest.
check_pieces() {
	local cpu n=0
	cpu=$(list_cpus | tail -n 1)
	start_numbered -b 4M
	start_server tree
	mkdir d
	cat tree/buffers/metadata >d/metadata
	call_numbers_on "$cpu" 1 20000
	timeout 20 perl -e 'open my $f, "<:raw", $ARGV[0] or die;
		for (1 .. 3) {
			sysread($f, my $head, 64) == 64 or die;
			my $rest = (unpack "L S10 Q4", $head)[14] / 8 - 64;
			my $n = sysread($f, my $records, 2 * $rest);
			$n == $rest or die "$n of $rest";
			print $head, $records;
		}' "tree/buffers/cpu$cpu" >"d/cpu$cpu"
	n=$(print_trace_numbers d | wc -l)
	[ "$n" -gt 0 ]
	[ "$n" -lt 20000 ]
	dd "if=tree/buffers/cpu$cpu" bs=10 count=30 status=none >>"d/cpu$cpu"
	cp "d/cpu$cpu" begun
	head -c 65536 "tree/buffers/cpu$cpu" >rest
	[ "$(stat -c %s rest)" -eq 65536 ]
	cat rest >>"d/cpu$cpu"
	dd "if=tree/buffers/cpu$cpu" bs=300 status=none >more 3>&- &
	reader=$!
	has_open_file "$reader"
	call_numbers_on "$cpu" 20001 20009
	ktrace stop
	wait "$reader"
	cat more >>"d/cpu$cpu"
	print_trace_numbers d | cmp - <(seq 20009)
	stop_server
}

@test "readers get whole packets, each once, or consecutive pieces" {
	skip_without_fuse
	run_on_bpffs check_sharing
	run_on_bpffs check_pieces
}

check_like_ftrace() {
	local f ours raw reader
	cpu=$(list_cpus | tail -n 1)
	start_numbered -b 64K
	start_server tree
	create_instance
	# ftrace's file waits until the buffer is filled by this percentage.
	echo 0 >"$theirs/buffer_percent"
	ours=tree/buffers/cpu$cpu
	raw=$theirs/per_cpu/cpu$cpu/trace_pipe_raw
	make_events() { # FILE
		if [ "$1" = "$ours" ]; then
			call_numbers_on "$cpu" 1 5
		else
			taskset -c "$cpu" bash -c 'for _ in 1 2 3 4 5; do echo x >"$1"; done' - "$theirs/trace_marker"
		fi
	}
	hits="$(declare -f make_events call_numbers call_numbers_on); theirs=$theirs; ours=$ours; cpu=$cpu; make_events"
	for f in "$ours" "$raw"; do
		read_nonblocking "$f" >there
		[ ! -s there ]
		[ "$(poll_file "$f" 0)" = 0 ]
		[ "$(poll_file "$f" 200)" = 0 ]
		[ "$(poll_file "$f" 20000 bash -c "$hits $f")" = "1 in" ]
		[ "$(poll_file "$f" 0)" = "1 in" ]
		read_nonblocking "$f" >there
		[ -s there ]
		[ "$(poll_file "$f" 0)" = 0 ]
		read_nonblocking "$f" >there
		[ ! -s there ]
		assert_no_seek_or_write "$f"
	done
	remove_instance
	timeout 20 head -c 1 "$ours" >got 3>&- &
	reader=$!
	sleep 0.2
	[ ! -s got ]
	make_events "$ours"
	wait "$reader"
	[ -s got ]
	# While nothing records: a reader that has read something gets end-of-file.
	read_nonblocking "$ours" >there
	cat "$ours" >got 3>&- &
	reader=$!
	has_open_file "$reader"
	make_events "$ours"
	await test -s got
	echo 0 >tree/tracing_on
	wait "$reader"
	timeout 0.3 cat "$ours" >got || [ $? -eq 124 ]
	[ ! -s got ]
	# After the flight has ended: the reader's own data, then end-of-file.
	echo 1 >tree/tracing_on
	[ "$(poll_file "$ours" 20000 "$KTRACE" stop)" = "1 in" ]
	stop_server
}

@test "non-blocking reads, poll, seek and write behave as ftrace's trace_pipe_raw" {
	skip_without_fuse
	run_on_bpffs check_like_ftrace
}

# The server is suspended while buffers are swapped beyond what it has read, and the flight is
# stopped.
stop_unseen() { # ARG...
	local server cpu
	cpu=$(list_cpus | tail -n 1)
	start_numbered -b 64K "$@"
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	rm -rf d
	mkdir d
	cat tree/buffers/metadata >d/metadata
	call_numbers_on "$cpu" 1 3
	cat "tree/buffers/cpu$cpu" >"d/cpu$cpu" 2>why 3>&- &
	reader=$!
	await test -s "d/cpu$cpu"
	kill -STOP "$server"
	call_numbers_on "$cpu" 4 5
	ktrace snapshot -o "s$#"
	call_numbers_on "$cpu" 6 7
	ktrace stop
	# Records of a later flight do not appear.
	start_numbered -b 64K
	call_numbers_on "$cpu" 8 9
	kill -CONT "$server"
	ended=0
	wait "$reader" || ended=$?
	read_nonblocking "tree/buffers/cpu$cpu" >there
	[ "$(stat -c %s there)" -gt 0 ]
	stop_server
	ktrace stop
}

check_end() {
	stop_unseen
	[ "$ended" -eq 0 ]
	print_trace_numbers d | cmp - <(seq 7)
	# Nobody has opened the rings made meanwhile.
	stop_unseen --no-spare
	[ "$ended" -eq 1 ]
	grep -q "Stale file handle" why
	print_trace_numbers d | cmp - <(seq 5)
}

@test "readers end with all records, or with an error" {
	skip_without_fuse
	run_on_bpffs check_end
}

# A reader per CPU that has seen rings which only a snapshot had.
check_end_after_snapshots() {
	local times
	for times in 1 2 3 4 5; do
		start_numbered -b 1M --no-spare
		start_server tree
		rm -rf d s
		start_readers d
		ktrace snapshot -o s
		cat tree/buffers/metadata >metadata
		ktrace stop
		wait "${readers[@]}"
		stop_server
	done
}

@test "each reader has all records, also after rings that only a snapshot had" {
	skip_without_fuse
	run_on_bpffs check_end_after_snapshots
}

# No new data arrives.
is_idle() { # FILE
	local size
	size=$(stat -c %s "$1")
	sleep 0.5
	[ "$(stat -c %s "$1")" -eq "$size" ]
}

check_memory() {
	local server cpu most=0 is caller reader
	cpu=$(list_cpus | tail -n 1)
	start_numbered -b 4M
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	mkdir d
	cat tree/buffers/metadata >d/metadata
	memory_bytes() { # of the server's memory files
		find -L "/proc/$server/fd" -maxdepth 1 -type f -links 1 -printf '%i %b\n' 2>gone |
			sort -u | awk '{ sum += $2 } END { print 512 * sum }' || true
	}
	call_numbers_on "$cpu" 1 60000
	exec 5<"tree/buffers/cpu$cpu"
	head -c 1000 <&5 >"d/cpu$cpu"
	[ "$(memory_bytes)" -gt 1000000 ]
	[ "$(list_open "$server")" -gt 0 ]
	# Unread data survives the end of the flight for as long as the file is open.
	sleep 1.2
	call_numbers_on "$cpu" 60001 60009
	ktrace stop
	await eval '[ "$(ls tree | xargs)" = "error_log version" ]'
	[ -z "$(find "/proc/$server/fd" -lname '*bpf*')" ]
	perl -e 'print while sysread STDIN, $_, 4096' <&5 >>"d/cpu$cpu"
	print_trace_numbers d | cmp - <(seq 60009)
	[ "$(memory_bytes)" -lt 100000 ]
	exec 5<&-
	await eval '[ "$(list_open "$server")" -eq 0 ]'

	# Read data takes no memory, however much it is.
	start_numbered -b 4M
	cat tree/buffers/metadata >d/metadata
	cat "tree/buffers/cpu$cpu" >"d/cpu$cpu" 3>&- &
	reader=$!
	has_open_file "$reader"
	call_numbers_on "$cpu" 1 1500000 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		is=$(memory_bytes)
		[ "$is" -lt "$most" ] || most=$is
	done
	[ "$most" -lt 6000000 ]
	await eval '[ "$(memory_bytes)" -lt 100000 ]'
	[ "$(stat -c %s "d/cpu$cpu")" -gt 30000000 ]
	await is_idle "d/cpu$cpu" # wait until all that was read is written
	kill "$reader"
	! wait "$reader" || false
	# A new reader continues where the last one stopped, with what came meanwhile.
	call_numbers_on "$cpu" 1500001 1500009
	sleep 1.2
	timeout 1 cat "tree/buffers/cpu$cpu" >>"d/cpu$cpu" || [ $? -eq 124 ]
	[ "$("$KTRACE" print d | check_sequence)" = "1500009 0" ]
	stop_server
	ktrace stop
}

@test "packets are kept until they are read, and no longer" {
	skip_without_fuse
	run_on_bpffs check_memory
}

# Whichever open fails, no data is lost.
check_no_descriptors() {
	local server open limit failed=0 i=0 most=$((30 + 6 * $(nproc))) cpu
	cpu=$(list_cpus | tail -n 1)
	start_rare -b 64K
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	mkdir d
	cat tree/buffers/metadata >d/metadata
	ls "/proc/$server/fd" >before
	open=$(sort -n before | tail -n 1)
	for ((limit = open + 1; limit <= open + most; limit++)); do
		i=$((i + 1))
		call_numbers_on "$cpu" "$i" "$i"
		prlimit --pid "$server" --nofile=$limit:1024
		read_nonblocking "tree/buffers/rare$cpu" >>"d/rare$cpu" 2>why || {
			grep -q "Too many open files" why
			failed=$((failed + 1))
		}
		prlimit --pid "$server" --nofile=1024:1024
	done
	[ "$failed" -ge 4 ]
	[ "$failed" -lt "$most" ]
	print_trace_numbers d | cmp - <(seq "$i")
	# A failed attempt leaves nothing behind.
	[ "$(find "/proc/$server/fd" -lname / | wc -l)" -eq 1 ]
	stop_server
	ktrace stop
}

@test "packets that could not be copied come with the next read" {
	skip_without_fuse
	run_on_bpffs check_no_descriptors
}

