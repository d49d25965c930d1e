#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs, what is waited for. Who made the calls, and a trace_pipe of the kernel's own, are the witnesses.

load flight
load numbers
load tree

reads() { # FILE NUMBER: it is the last that it has
	await eval "[ \"\$(tail -n 1 $1 | numbers)\" = $2 ]"
}

# Somebody waits, $reader, and has that number as the last one by now.
begin_to_wait() { # NUMBER
	cat tree/trace_pipe >got 2>why 3>&- &
	reader=$!
	reads got "$1"
}

is_waited_for() {
	local reader
	start_numbered -b 4M
	begin tree
	call_numbers 1 5
	begin_to_wait 5
	call_numbers 6 20000
	reads got 20000
	# Nobody else waits.
	[ "$(<tree/tracing_on)" = 1 ]
	numbers tree/trace | cmp - <(seq 20000)
	call_numbers 20001 20002
	reads got 20002
	kill -0 "$reader"
	numbers got | cmp - <(seq 20002)
	# Who ends does so at once, and the next one reads on.
	kill -INT "$reader" || true
	kill "$reader"
	! wait "$reader" || false
	call_numbers 20003 20009
	timeout 1 cat tree/trace_pipe >more || [ $? -eq 124 ]
	numbers more | cmp - <(seq 20003 20009)
	timeout -s KILL 0.2 cat tree/trace_pipe >more || [ $? -eq 137 ]
	[ ! -s more ]
	# Nothing was taken, and what is taken elsewhere is there all the same.
	ktrace snapshot -o s
	[ "$(babeltrace2 s | wc -l)" -eq 20009 ]
	call_numbers 20010 20019
	ktrace snapshot -o t
	call_numbers 20020 20021
	begin_to_wait 20021
	# It ends with the session, and has all of that.
	call_numbers 20022 20023
	ktrace stop
	wait "$reader"
	numbers got | cmp - <(seq 20010 20023)
	[ "$(ls tree)" = version ]
	# Another one is another.
	start_numbered -b 64K
	call_numbers 3 4
	begin_to_wait 4
	call_numbers 5 5
	ktrace stop
	wait "$reader"
	numbers got | cmp - <(seq 3 5)
	end
}

@test "what is hit comes as it is, once, until the session ends" {
	needs_fuse
	apart is_waited_for
}

comes_meanwhile() { # GAP ARG...
	local reader caller gap=$1 before
	shift
	start_numbered "$@"
	begin tree
	call_numbers 1 1
	begin_to_wait 1
	numbers_on "$(our_cpus | tail -n 1)" 2 399999 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		ktrace snapshot -o "s$((++n))"
		# Where it is turned twice before somebody looks, what is between is gone.
		before=$(hits flight)
		[ "$gap" = none ] || await eval '[ "$(tail -n 1 got | numbers)" -ge "$before" ]'
	done
	wait "$caller"
	# Who waits has seen the last rings that were made, too.
	call_numbers 400000 400000
	[ "$gap" = none ] || reads got 400000
	ktrace stop
	wait "$reader"
	umount -l "$tree"
}

beside_snapshots() {
	n=0
	comes_meanwhile some -b 16M
	[ "$(followed got)" = "400000 0" ]
	comes_meanwhile some -b 16M --no-spare
	[ "$(followed got)" = "400000 0" ]
	[ "$n" -ge 4 ]
}

in_small_rings() {
	local all lost
	n=0
	comes_meanwhile none -b 16K
	read -r all lost <<<"$(followed got)"
	[ "$all" -eq 400000 ]
	[ "$lost" -gt 0 ]
	[ $(($(numbers got | wc -l) + lost)) -eq 400000 ]
}

@test "each hit comes once, or is told as lost, also beside snapshots" {
	needs_fuse
	apart beside_snapshots
	apart in_small_rings
}

# The server is held up while it is turned to where it did not read yet, and is stopped.
ends_unseen() { # ARG...
	local server reader
	start_numbered -b 64K "$@"
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	call_numbers 1 3
	begin_to_wait 3
	kill -STOP "$server"
	call_numbers 4 5
	ktrace snapshot -o "s$#"
	call_numbers 6 7
	ktrace stop
	kill -CONT "$server"
	status=0
	wait "$reader" || status=$?
	end
}

has_all_or_says_so() {
	ends_unseen
	[ "$status" -eq 0 ]
	numbers got | cmp - <(seq 7)
	# Rings that were made meanwhile nobody has seen.
	ends_unseen --no-spare
	[ "$status" -eq 1 ]
	grep -q "Stale file handle" why
	numbers got | cmp - <(seq 5)
}

@test "it ends with all that there was, or with an error" {
	needs_fuse
	apart has_all_or_says_so
}

# Each line by one of them, whole.
is_shared_by() {
	local readers=() i
	start_numbered -b 4M
	begin tree
	for i in 1 2 3 4; do
		cat tree/trace_pipe >"got$i" 3>&- &
		readers+=($!)
	done
	# Small pieces, too.
	dd if=tree/trace_pipe bs=150 of=got5 status=none 3>&- &
	readers+=($!)
	for i in "${readers[@]}"; do is_open "$i"; done
	call_numbers 1 60000
	ktrace stop
	wait "${readers[@]}"
	[ "$(cat got? | wc -l)" -eq 60000 ]
	numbers got? | sort -n | cmp - <(seq 60000)
	[ "$(find . -name 'got?' -size +0 | wc -l)" -ge 2 ]
	end
}

@test "who reads it shares it, line by line" {
	needs_fuse
	apart is_shared_by
}

# Five hits, in ours or in the kernel's own.
hit() { # WHERE
	if [ "$1" = tree ]; then
		call_numbers 1 5
	else
		for _ in 1 2 3 4 5; do echo "pid=1000000009" >"$1/trace_marker"; done
	fi
}

begin_both() {
	start_numbered -b 64K "$@"
	begin tree
	begin_theirs
}

end_both() {
	end_theirs
	end
	ktrace stop
}

lines_in() { # FILE
	grep -c "pid=1000000009\|pid=100000000[1-5]" "$1" || true
}

says_as_tracefs() {
	local f reader
	begin_both
	for f in tree "$theirs"; do
		hit "$f"
		# Without waiting.
		without_waiting "$f/trace_pipe" >there
		[ "$(lines_in there)" -eq 5 ]
		without_waiting "$f/trace_pipe" >there
		[ ! -s there ]
		leads_nowhere "$f/trace_pipe"
	done

	# Where nothing is recorded: who has read something is at the end, who has not waits.
	for f in tree "$theirs"; do
		timeout 10 cat "$f/trace_pipe" >got 3>&- &
		reader=$!
		hit "$f"
		await eval '[ "$(lines_in got)" -eq 5 ]'
		echo 0 >"$f/tracing_on"
		# The kernel's does not look before there is something.
		[ "$f" = tree ] || kill "$reader"
		wait "$reader" || [ "$f" != tree ]
		[ "$(wc -l <got)" -eq 5 ]
		timeout 0.3 cat "$f/trace_pipe" >got || [ $? -eq 124 ]
		[ ! -s got ]
		timeout 10 cat "$f/trace_pipe" >got 3>&- &
		reader=$!
		sleep 0.2
		echo 1 >"$f/tracing_on"
		hit "$f"
		await eval '[ "$(lines_in got)" -eq 5 ]'
		kill "$reader"
		! wait "$reader" || false
		echo 1 >"$f/tracing_on"
	done
	end_both
}

@test "not to wait, to seek, to write, and the end while nothing is recorded are as in tracefs" {
	needs_fuse
	apart says_as_tracefs
}

is_polled() {
	local f
	begin_both
	hits="$(declare -f hit call_numbers); hit"
	for f in tree "$theirs"; do
		[ "$(polls "$f/trace_pipe" 0)" = 0 ]
		[ "$(polls "$f/trace_pipe" 200)" = 0 ]
		[ "$(polls "$f/trace_pipe" 20000 "bash" -c "$hits $f")" = "1 in" ]
		[ "$(polls "$f/trace_pipe" 0)" = "1 in" ]
		[ "$(timeout 1 cat "$f/trace_pipe" | lines_in -)" = 5 ]
		[ "$(polls "$f/trace_pipe" 0)" = 0 ]
		[ "$(polls "$f/trace" 0)" = "1 in out" ]
		[ "$(polls "$f/tracing_on" 0)" = "1 in out" ]
	done
	# Several at once, who are told, and one who goes before: the kernel lets in but one.
	polls tree/trace_pipe 20000 >told1 3>&- &
	polls tree/trace_pipe 20000 >told2 3>&- &
	polls tree/trace_pipe 100 >told3
	[ "$(<told3)" = 0 ]
	hit tree
	await eval '[ "$(cat told1 told2 | xargs)" = "1 in 1 in" ]'
	timeout 1 cat tree/trace_pipe >got || [ $? -eq 124 ]
	# The end is something, too.
	polls tree/trace_pipe 20000 "$KTRACE" stop >told1
	[ "$(<told1)" = "1 in" ]
	start_numbered
	end_both
}

@test "poll tells that there is something" {
	needs_fuse
	apart is_polled
}

# Of a slow one, of one who has gone, and of none.
keeps_little() {
	local server reader caller most=0 is
	start_numbered -b 4M
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	bytes() { # of all that it has open in memory
		find -L "/proc/$server/fd" -maxdepth 1 -type f -links 1 -size +3M -printf '%i %s\n' 2>gone |
			sort -u | awk '{ sum += $2 } END { print sum + 0 }' || true
	}
	call_numbers 1 60000
	exec 5<tree/trace_pipe
	head -c 1000 <&5 >first
	[ "$(holds "$server")" -gt 0 ]
	# What it has not read when the session ends is there for it, however long it has not.
	sleep 1.2
	call_numbers 60001 60009
	ktrace stop
	await eval '[ "$(ls tree)" = version ]'
	perl -e 'print while sysread STDIN, $_, 4096' <&5 >rest
	cat first rest | numbers - | cmp - <(seq 60009)
	exec 5<&-
	await eval '[ "$(holds "$server")" -eq 0 ]'

	# What has been read takes no memory for long, however much it is: 16 MiB that are written,
	# and as much that is still read, of some 100 MB.
	start_numbered -b 4M
	cat tree/trace_pipe >got 3>&- &
	reader=$!
	(
		for ((n = 0; n < 1500000; n += 60000)); do
			call_numbers $((n + 1)) $((n + 60000)) 60000
			reads got $((n + 60000))
		done
	) 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		is=$(bytes)
		[ "$is" -lt "$most" ] || most=$is
	done
	[ "$most" -gt 4000000 ]
	[ "$most" -lt 45000000 ]
	reads got 1500000
	[ "$(followed got)" = "1500000 0" ]
	kill "$reader"
	await eval '[ "$(holds "$server")" -eq 0 ]'
	# From where it was read to.
	call_numbers 8 9
	timeout 1 cat tree/trace_pipe >got || [ $? -eq 124 ]
	numbers got | cmp - <(seq 8 9)
	end
	ktrace stop
}

@test "it is kept until it is read, no longer, and where nobody reads only to where it was" {
	needs_fuse
	apart keeps_little
}

lets_go() {
	local reader server
	start_numbered -b 64K
	begin tree
	call_numbers 1 5
	# Who waits while it is unmounted by its server's end is at the end.
	begin_to_wait 5
	! umount "$tree" 2>why || false
	grep -q "busy" why
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	kill "$server"
	wait "$reader"
	await eval '! serving'
	[ -z "$(ls tree)" ]
	# And by the server's death it is an error, not a wait.
	begin tree
	begin_to_wait 5
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	kill -9 "$server"
	! wait "$reader" || false
	umount "$tree"
	ktrace stop
}

@test "who waits is let go when it is unmounted" {
	needs_fuse
	apart lets_go
}
