#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs, each CPU's packets. Who made the calls, babeltrace2, and a trace_pipe_raw of the kernel's own, are the
# witnesses.

load flight
load numbers
load tree

# The same, kept apart from something else, of which there is nothing.
start_kept() { # ARG...
	start_numbered "$@" --keep -e syscalls:sys_enter_getppid -f 'common_pid == 4194304'
}

# The whole of it to a directory, as it comes; $readers.
begin_to_read() { # DIRECTORY
	local f
	mkdir "$1"
	readers=()
	for f in tree/buffers/[ck]*; do
		cat "$f" >"$1/${f##*/}" 3>&- &
		readers+=($!)
	done
	for f in "${readers[@]}"; do is_open "$f"; done
	cat tree/buffers/metadata >"$1/metadata"
}

# Made by each CPU at once, with snapshots meanwhile, behind each of which somebody reads each CPU: a call on
# it that tells, with a number above all others.
comes_meanwhile() { # COMMAND...
	local cpus=() callers=() cpu i=0 mark=0 n
	mapfile -t cpus < <(our_cpus)
	n=${#cpus[@]}
	"$@"
	begin tree
	rm -rf d
	begin_to_read d
	for cpu in "${cpus[@]}"; do
		numbers_on "$cpu" $((1 + i * 60000)) $(((i + 1) * 60000)) 200 3>&- &
		callers+=($!)
		i=$((i + 1))
	done
	while kill -0 "${callers[@]}" 2>no_more; do
		ktrace snapshot -o "s$((++snapshots))"
		mark=$((mark + 1))
		for cpu in "${cpus[@]}"; do
			numbers_on "$cpu" $((900000000 + mark)) $((900000000 + mark))
		done
		await eval "[ \"\$(babeltrace2 d 2>gone | grep -c 'pid = 1$((900000000 + mark)) }')\" -eq $n ]"
	done
	wait "${callers[@]}"
	# With the session they end, and have all of it.
	numbers_on "${cpus[0]}" $((n * 60000 + 1)) $((n * 60000 + 9))
	cat tree/buffers/metadata >metadata
	ktrace stop
	wait "${readers[@]}"
	end
	[ "$mark" -ge 2 ]
	numbers_of d >got
	seq $((n * 60000 + 9)) | cmp - <(grep -v '^9.......' got | sort -n)
	[ "$(grep -c '^9.......' got)" -eq $((mark * n)) ]
	# It has been the same trace all the time, and what reads traces reads it.
	diff <(grep uuid d/metadata) <(grep uuid metadata)
	"$KTRACE" print d | numbers - | cmp - got
}

beside_snapshots() {
	snapshots=0
	comes_meanwhile start_numbered -b 16M
	comes_meanwhile start_numbered -b 16M --no-spare
	[ "$(cat d/cpu* | wc -c)" -gt 1000000 ]
}

in_kept_rings() {
	snapshots=0
	comes_meanwhile start_kept -b 64M
	[ "$(cat d/kept* | wc -c)" -gt 1000000 ]
	[ "$(cat d/cpu* | wc -c)" -eq 0 ]
}

@test "each CPU's hits come as packets, once, beside snapshots, until the session ends" {
	needs_fuse
	apart beside_snapshots
	apart in_kept_rings
}

# Who has opened it has what is hit from then on, also where it has been turned before he reads.
is_had_from_the_opening() {
	local cpu
	cpu=$(our_cpus | tail -n 1)
	start_numbered -b 64K
	begin tree
	mkdir d
	numbers_on "$cpu" 1 2
	ktrace snapshot -o s
	numbers_on "$cpu" 3 4
	exec 5<tree/trace_pipe 6<"tree/buffers/cpu$cpu"
	numbers_on "$cpu" 5 6
	ktrace snapshot -o t
	numbers_on "$cpu" 7 8
	cat tree/buffers/metadata >d/metadata
	cat <&5 >got 3>&- &
	cat <&6 >"d/cpu$cpu" 3>&- &
	exec 5<&- 6<&-
	await test -s got # cat looks at what it is before it reads
	await test -s "d/cpu$cpu"
	ktrace stop
	wait
	numbers got | cmp - <(seq 3 8)
	numbers_of d | cmp - <(seq 3 8)
	end
}

@test "it begins with what is held when it is opened" {
	needs_fuse
	apart is_had_from_the_opening
}

is_told_as_lost() {
	local all lost cpu
	cpu=$(our_cpus | tail -n 1)
	start_numbered -b 16K
	begin tree
	numbers_on "$cpu" 1 1
	begin_to_read d
	await eval '[ "$(babeltrace2 d 2>gone | wc -l)" -eq 1 ]'
	numbers_on "$cpu" 2 400000
	ktrace stop
	wait "${readers[@]}"
	end
	"$KTRACE" print d >got
	read -r all lost <<<"$(followed got)"
	[ "$all" -eq 400000 ]
	[ "$lost" -gt 0 ]
	babeltrace2 d >got 2>told_there
	[ "$(($(wc -l <got) + lost))" -eq 400000 ]
	grep -q "discarded" told_there
	# And nobody else's.
	[ "$(find d -name 'cpu*' -size +0 | xargs)" = "d/cpu$cpu" ]
}

@test "what was overwritten before it was read is told" {
	needs_fuse
	apart is_told_as_lost
}

# What each read(2) of so many bytes has given, to a file: whole packets, each.
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

# Many read it, of whom each has whole ones.
is_shared_by() {
	local readers=() i size=(131072 70000 1048576 131072) cpu
	cpu=$(our_cpus | tail -n 1)
	start_numbered -b 4M
	begin tree
	cat tree/buffers/metadata >metadata
	for i in 0 1 2 3; do
		mkdir "d$i"
		cp metadata "d$i/metadata"
		read_packets "tree/buffers/cpu$cpu" "${size[i]}" "d$i/cpu$cpu" 3>&- &
		readers+=($!)
	done
	for i in "${readers[@]}"; do is_open "$i"; done
	numbers_on "$cpu" 1 60000
	ktrace stop
	for i in "${readers[@]}"; do wait "$i"; done
	numbers_of d? | sort -n | cmp - <(seq 60000)
	[ "$(find d? -name 'cpu*' -size +0 | wc -l)" -ge 2 ]
	end
}

# In any pieces: a head and the rest; and few bytes, at which the rest is had by another one.
has_pieces() {
	local cpu n=0
	cpu=$(our_cpus | tail -n 1)
	start_numbered -b 4M
	begin tree
	mkdir d
	cat tree/buffers/metadata >d/metadata
	numbers_on "$cpu" 1 20000
	timeout 20 perl -e 'open my $f, "<:raw", $ARGV[0] or die;
		for (1 .. 3) {
			sysread($f, my $head, 64) == 64 or die;
			my $rest = (unpack "L S10 Q4", $head)[14] / 8 - 64;
			my $n = sysread($f, my $records, 2 * $rest);
			$n == $rest or die "$n of $rest";
			print $head, $records;
		}' "tree/buffers/cpu$cpu" >"d/cpu$cpu"
	n=$(numbers_of d | wc -l)
	[ "$n" -gt 0 ]
	[ "$n" -lt 20000 ]
	dd "if=tree/buffers/cpu$cpu" bs=10 count=30 status=none >>"d/cpu$cpu"
	cp "d/cpu$cpu" begun
	head -c 65536 "tree/buffers/cpu$cpu" >rest
	[ "$(stat -c %s rest)" -eq 65536 ]
	cat rest >>"d/cpu$cpu"
	dd "if=tree/buffers/cpu$cpu" bs=300 status=none >more 3>&- &
	reader=$!
	is_open "$reader"
	numbers_on "$cpu" 20001 20009
	ktrace stop
	wait "$reader"
	cat more >>"d/cpu$cpu"
	numbers_of d | cmp - <(seq 20009)
	end
}

@test "who reads has whole packets, of which each is one's; or pieces, one after the other" {
	needs_fuse
	apart is_shared_by
	apart has_pieces
}

says_as_tracefs() {
	local f ours raw reader
	cpu=$(our_cpus | tail -n 1)
	start_numbered -b 64K
	begin tree
	begin_theirs
	# Its own waits for this share of the ring.
	echo 0 >"$theirs/buffer_percent"
	ours=tree/buffers/cpu$cpu
	raw=$theirs/per_cpu/cpu$cpu/trace_pipe_raw
	hit() { # FILE
		if [ "$1" = "$ours" ]; then
			numbers_on "$cpu" 1 5
		else
			taskset -c "$cpu" bash -c 'for _ in 1 2 3 4 5; do echo x >"$1"; done' - "$theirs/trace_marker"
		fi
	}
	hits="$(declare -f hit call_numbers numbers_on); theirs=$theirs; ours=$ours; cpu=$cpu; hit"
	for f in "$ours" "$raw"; do
		without_waiting "$f" >there
		[ ! -s there ]
		[ "$(polls "$f" 0)" = 0 ]
		[ "$(polls "$f" 200)" = 0 ]
		[ "$(polls "$f" 20000 bash -c "$hits $f")" = "1 in" ]
		[ "$(polls "$f" 0)" = "1 in" ]
		without_waiting "$f" >there
		[ -s there ]
		[ "$(polls "$f" 0)" = 0 ]
		without_waiting "$f" >there
		[ ! -s there ]
		leads_nowhere "$f"
	done
	end_theirs
	timeout 20 head -c 1 "$ours" >got 3>&- &
	reader=$!
	sleep 0.2
	[ ! -s got ]
	hit "$ours"
	wait "$reader"
	[ -s got ]
	# Where nothing is recorded: who has read something is at the end.
	without_waiting "$ours" >there
	cat "$ours" >got 3>&- &
	reader=$!
	is_open "$reader"
	hit "$ours"
	await test -s got
	echo 0 >tree/tracing_on
	wait "$reader"
	timeout 0.3 cat "$ours" >got || [ $? -eq 124 ]
	[ ! -s got ]
	# What it had and who waits end with the session.
	echo 1 >tree/tracing_on
	[ "$(polls "$ours" 20000 "$KTRACE" stop)" = "1 in" ]
	end
}

@test "not to wait, poll, not to seek or write are as of tracefs's trace_pipe_raw" {
	needs_fuse
	apart says_as_tracefs
}

# The server is held up while it is turned to where it did not read yet, and is stopped.
ends_unseen() { # ARG...
	local server cpu
	cpu=$(our_cpus | tail -n 1)
	start_numbered -b 64K "$@"
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	rm -rf d
	mkdir d
	cat tree/buffers/metadata >d/metadata
	numbers_on "$cpu" 1 3
	cat "tree/buffers/cpu$cpu" >"d/cpu$cpu" 2>why 3>&- &
	reader=$!
	await test -s "d/cpu$cpu"
	kill -STOP "$server"
	numbers_on "$cpu" 4 5
	ktrace snapshot -o "s$#"
	numbers_on "$cpu" 6 7
	ktrace stop
	# What comes of another one is not of it.
	start_numbered -b 64K
	numbers_on "$cpu" 8 9
	kill -CONT "$server"
	ended=0
	wait "$reader" || ended=$?
	without_waiting "tree/buffers/cpu$cpu" >there
	[ "$(stat -c %s there)" -gt 0 ]
	end
	ktrace stop
}

has_all_or_says_so() {
	ends_unseen
	[ "$ended" -eq 0 ]
	numbers_of d | cmp - <(seq 7)
	# Rings that were made meanwhile nobody has seen.
	ends_unseen --no-spare
	[ "$ended" -eq 1 ]
	grep -q "Stale file handle" why
	numbers_of d | cmp - <(seq 5)
}

@test "they end with all that there was, or with an error" {
	needs_fuse
	apart has_all_or_says_so
}

# Somebody reads each CPU, and has seen rings that a snapshot alone had.
ends_behind_snapshots() {
	local times
	for times in 1 2 3 4 5; do
		start_numbered -b 1M --no-spare
		begin tree
		rm -rf d s
		begin_to_read d
		ktrace snapshot -o s
		cat tree/buffers/metadata >metadata
		ktrace stop
		wait "${readers[@]}"
		end
	done
}

@test "all that there was has each of them, also behind rings that only a snapshot had" {
	needs_fuse
	apart ends_behind_snapshots
}

# Nothing comes to it.
rests() { # FILE
	local size
	size=$(stat -c %s "$1")
	sleep 0.5
	[ "$(stat -c %s "$1")" -eq "$size" ]
}

keeps_little() {
	local server cpu most=0 is caller reader
	cpu=$(our_cpus | tail -n 1)
	start_numbered -b 4M
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	mkdir d
	cat tree/buffers/metadata >d/metadata
	bytes() { # of all that it has in memory
		find -L "/proc/$server/fd" -maxdepth 1 -type f -links 1 -printf '%i %b\n' 2>gone |
			sort -u | awk '{ sum += $2 } END { print 512 * sum }' || true
	}
	numbers_on "$cpu" 1 60000
	exec 5<"tree/buffers/cpu$cpu"
	head -c 1000 <&5 >"d/cpu$cpu"
	[ "$(bytes)" -gt 1000000 ]
	[ "$(holds "$server")" -gt 0 ]
	# What it has not read when the session ends is there for it, however long it has not.
	sleep 1.2
	numbers_on "$cpu" 60001 60009
	ktrace stop
	await eval '[ "$(ls tree)" = version ]'
	[ -z "$(find "/proc/$server/fd" -lname '*bpf*')" ]
	perl -e 'print while sysread STDIN, $_, 4096' <&5 >>"d/cpu$cpu"
	numbers_of d | cmp - <(seq 60009)
	[ "$(bytes)" -lt 100000 ]
	exec 5<&-
	await eval '[ "$(holds "$server")" -eq 0 ]'

	# What has been read takes no memory, however much it is.
	start_numbered -b 4M
	cat tree/buffers/metadata >d/metadata
	cat "tree/buffers/cpu$cpu" >"d/cpu$cpu" 3>&- &
	reader=$!
	is_open "$reader"
	numbers_on "$cpu" 1 1500000 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		is=$(bytes)
		[ "$is" -lt "$most" ] || most=$is
	done
	[ "$most" -lt 6000000 ]
	await eval '[ "$(bytes)" -lt 100000 ]'
	[ "$(stat -c %s "d/cpu$cpu")" -gt 30000000 ]
	await rests "d/cpu$cpu" # or what it has read but not written is gone
	kill "$reader"
	! wait "$reader" || false
	# From where it was read to, with what came while nobody did.
	numbers_on "$cpu" 1500001 1500009
	sleep 1.2
	timeout 1 cat "tree/buffers/cpu$cpu" >>"d/cpu$cpu" || [ $? -eq 124 ]
	[ "$("$KTRACE" print d | followed)" = "1500009 0" ]
	end
	ktrace stop
}

@test "they are kept until they are read, no longer" {
	needs_fuse
	apart keeps_little
}

# Wherever it fails, nothing is given up.
is_out_of_files() {
	local server open limit failed=0 i=0 most=$((30 + 6 * $(nproc))) cpu
	cpu=$(our_cpus | tail -n 1)
	start_kept -b 64K
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	mkdir d
	cat tree/buffers/metadata >d/metadata
	ls "/proc/$server/fd" >before
	open=$(sort -n before | tail -n 1)
	for ((limit = open + 1; limit <= open + most; limit++)); do
		i=$((i + 1))
		numbers_on "$cpu" "$i" "$i"
		prlimit --pid "$server" --nofile=$limit:1024
		without_waiting "tree/buffers/kept$cpu" >>"d/kept$cpu" 2>why || {
			grep -q "Too many open files" why
			failed=$((failed + 1))
		}
		prlimit --pid "$server" --nofile=1024:1024
	done
	[ "$failed" -ge 4 ]
	[ "$failed" -lt "$most" ]
	numbers_of d | cmp - <(seq "$i")
	# And of what was begun nothing is left.
	[ "$(find "/proc/$server/fd" -lname / | wc -l)" -eq 1 ]
	end
	ktrace stop
}

@test "what could not be had comes the next time" {
	needs_fuse
	apart is_out_of_files
}

