#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace snapshot --on. What babeltrace2 reads of the snapshots is the witness, of calls that are made
# with numbers of their own, and who made them.

load flight
load numbers

# Those of the numbers that are triggers.
export TRIGGERS="sys_enter_getpgid if pid >= 1000000000 && pid & 1"

call() { # NUMBER...
	perl -e 'getpgrp(1000000000 + $_) for @ARGV' "$@"
}

at_every_hit() {
	local i traces
	start_numbered -b 64K
	begin_vigil --on "$TRIGGERS" --max 3 -o s
	[ "$(<heard)" = "ktrace snapshot: waiting for hits of $GETPGID; Ctrl-C ends it" ]
	call 100
	for i in 1 2 3; do
		call $((10 * i)) $((10 * i + 1)) $((10 * i + 2))
		await has_taken "$i"
	done
	end_vigil none 0
	traces=(s-????????-??????.???)
	[ "${#traces[@]}" -eq 3 ]
	for i in 0 1 2; do numbers_of "${traces[i]}" >>all; done
	grep -v '[02468]$' all | xargs >odd
	[ "$(<odd)" = "11 21 31" ]
	[ "$(numbers_of "${traces[0]}" | head -n 3 | xargs)" = "100 10 11" ]
	ktrace snapshot -o rest
	numbers_of rest >>all
	[ "$(sort -n all | xargs)" = "10 11 12 20 21 22 30 31 32 100" ]
	[ "$(grep -c "^  hit [0-9.]* [mu]s before, by $GETPGID" heard)" -eq 3 ]
	[ "$("$KTRACE" status --json | jq -c .freezing)" = null ]
	ktrace stop
}

at_an_execveat() {
	start_numbered -b 64K
	begin_vigil --on 'sys_exit_execveat if ret == 0' --max 1 -o s
	/bin/true
	"$TRACED/execs" at /bin/true
	end_vigil none 0
	grep '^  hit [0-9.]* [mu]s before, by syscalls:sys_exit_execveat' heard
	ktrace stop
}

at_a_path() {
	start_numbered -b 64K
	begin_vigil --on 'sys_enter_rmdir if pathname ~ "./none*"' --max 1 -o s
	rmdir ./other || true
	rmdir ./none 2>/dev/null || true
	end_vigil none 0
	grep '^  hit [0-9.]* [mu]s before, by syscalls:sys_enter_rmdir' heard
	ktrace stop
}

@test "one at a call that returns under another number, and by the text of a path" {
	apart at_an_execveat
	apart at_a_path
}

@test "one at every hit, which has what led to it" {
	apart at_every_hit
}

is_all_taken() {
	[ "$("$KTRACE" status --json | jq '.held + .resting')" -eq 0 ]
}

# The second one comes at any moment of the snapshot that the first one leads to.
whenever_it_comes() {
	local i
	start_numbered -b 64K
	begin_vigil --on "$TRIGGERS"
	for ((i = 1; i <= 80; i += 2)); do
		perl -e 'getpgrp(1000000000 + $ARGV[0]);
			select undef, undef, undef, $ARGV[0] / 1000;
			getpgrp(1000000002 + $ARGV[0])' "$i"
		await is_all_taken
	done
	end_vigil INT 0
	ktrace stop
	for ((i = 1; i <= 80; i += 2)); do printf '%s\n' "$i" "$((i + 2))"; done | sort -n >expected
	for i in flight-*; do numbers_of "$i"; done | sort -n | cmp - expected
}

@test "each hit is in one, whenever it comes" {
	apart whenever_it_comes
}

# When each was taken, in ms.
moments() {
	local at
	for at in flight-*; do
		at=${at#flight-}
		date -d "${at:0:8} ${at:9:2}:${at:11:2}:${at:13}" +%s%3N
	done
}

storm() {
	local pids=() i last=0 at
	start_numbered -b 32M
	begin_vigil --on "$TRIGGERS" --every 700ms
	for i in 0 1; do
		perl -e 'for (1 .. 25000) {
			getpgrp(1000000000 + 2 * $_ + $ARGV[0]);
			select undef, undef, undef, 0.01 unless $_ % 100;
		}' "$i" &
		pids+=($!)
	done
	wait "${pids[@]}"
	await is_all_taken
	end_vigil INT 0
	grep -x "ktrace snapshot: ended after [0-9]* snapshots" heard
	ktrace stop
	moments >times
	[ "$(wc -l <times)" -ge 3 ]
	while read -r at; do
		[ $((at - last)) -ge 699 ]
		last=$at
	done <times
	for i in flight-*; do numbers_of "$i"; done | sort -n | cmp - <(seq 2 50001)
}

@test "a storm of hits: one in a while, and all are in them" {
	apart storm
}

goes_on_behind() {
	start_numbered -b 64K
	begin_vigil --on "$TRIGGERS" --after 1s --max 1 -o s
	call 2 1
	call 4 6
	call 8
	await has_taken 1
	end_vigil none 0
	[ "$(numbers_of s-* | xargs)" = "2 1 4 6 8" ]
	grep "^  hit 1.[0-9]* s before" heard
	ktrace stop
}

@test "it goes on behind the hit for as long as is said" {
	apart goes_on_behind
}

others() {
	mkdir all
	start_numbered -b 64K
	begin_vigil --on "sched_process_exec if filename ~ '*/kt_flown'" --on='sys_exit_getpgid  if ret == 0' \
		-o all/
	grep -x "ktrace snapshot: waiting for hits of 2 events; Ctrl-C ends it" heard
	call 2
	env false || true
	./kt_flown
	await has_taken 1
	perl -e 'getpgrp(0)'
	call 4
	./kt_flown
	await has_taken 2
	end_vigil TERM 0
	[ "$(grep -c "^  hit [0-9.]* [mu]s before, by sched:sched_process_exec" heard)" -eq 2 ]
	[ "$(echo all/flight-????????-??????.??? | wc -w)" -eq 2 ]
	for trace in all/*; do numbers_of "$trace"; done >seen
	[ "$(xargs <seen)" = "2 4" ]
	ktrace stop
}

@test "by any trigger, of events that it does not record" {
	apart others
}

ended() {
	start_numbered -b 64K
	begin_vigil --on "$TRIGGERS"
	end_vigil INT 0
	[ "$(tail -n 1 heard)" = "ktrace snapshot: ended after 0 snapshots" ]
	begin_vigil --on "$TRIGGERS" --every 1h -o s
	call 1
	await has_taken 1
	call 3
	sleep 0.1
	end_vigil INT 0
	diff <(tail -n 2 heard | sed 's/hit [0-9.]* ms/hit 1 ms/') - <<-END
		ktrace snapshot: ended after 1 snapshot
		  hit 1 ms ago, by $GETPGID, without a snapshot
	END
	[ "$(numbers_of s-* | xargs)" = 1 ]
	ktrace snapshot -o rest
	[ "$(numbers_of rest | xargs)" = 3 ]

	begin_vigil --on "$TRIGGERS"
	ktrace stop
	end_vigil none 1
	[ "$(tail -n 1 heard)" = "ktrace snapshot: ended after 0 snapshots: $NOT_RUNNING" ]

	# Another one of the same name is none of ours, however soon it is there.
	start_numbered -b 64K
	begin_vigil --on "$TRIGGERS" --after 1s -o other
	call 1
	ktrace stop
	start_numbered -b 64K
	call 1 3
	end_vigil none 1
	[ "$("$KTRACE" status --json | jq -c '[.held, .resting, .taken]')" = "[2,0,0]" ]
	[ "$(echo other*)" = 'other*' ]
	ktrace stop
}

@test "Ctrl-C ends it, and the end of the session" {
	apart ended
}

beside_others() {
	start_numbered -b 64K --no-spare
	begin_vigil --on "$TRIGGERS" -o s
	call 2
	ktrace snapshot -o between
	[ "$(numbers_of between)" = 2 ]
	ktrace disable -e "$GETPGID"
	call 4
	ktrace enable -e "$GETPGID"
	flock "$PLACE/flight" bash -c 'call() { perl -e "getpgrp(1000000001)"; }; call
		until grep -q "another ktrace is using" heard; do sleep 0.1; done'
	await has_taken 1
	[ "$(grep -c "is using" heard)" -eq 1 ]
	end_vigil INT 0
	[ "$(numbers_of s-*)" = 1 ]
	[ ! -e "$PLACE/flight/bank1" ] || [ ! -e "$PLACE/flight/bank0" ]
	ktrace stop
}

@test "between two of them others may have the session" {
	apart beside_others
}

frozen() {
	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000007"
	begin_vigil --on "$TRIGGERS" --after 100ms --max 2
	call 2 7 5
	await has_taken 1
	call 4 7
	end_vigil none 0
	for trace in flight-*; do numbers_of "$trace"; done >seen
	[ "$(xargs <seen)" = "2 7 4 7" ]
	[ "$(grep -c "^  frozen [0-9.]* ms before, by $GETPGID; recording again" heard)" -eq 2 ]
	call 8
	ktrace snapshot -o last
	[ "$(numbers_of last)" = 8 ]
	ktrace stop

	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000008"
	call 8
	begin_vigil --on "$TRIGGERS" --max 1 -o none
	call 1
	end_vigil none 0
	grep "^  hit .* before, by $GETPGID; the buffers were frozen by then" heard
	[ "$(numbers_of none-*)" = 8 ]
	ktrace stop
}

@test "one that freezes is armed anew by each of them" {
	apart frozen
}

# What led to it is not there any more where the rings are too small for the time behind it.
overwritten() {
	start_numbered -b 8K
	begin_vigil --on "$TRIGGERS" --after 500ms --max 1 -o s
	call 1
	perl -e 'getpgrp(1000000000 + 2 * $_) for 1 .. 5000'
	end_vigil none 0
	grep "^  hit .* before, by $GETPGID; already overwritten on some CPUs" heard
	[ "$(numbers_of s-* | grep -cx 1)" -le 1 ]
	ktrace stop
}

@test "where the moment of the hit is not in it any more that is said" {
	apart overwritten
}

no_room() {
	start_numbered -b 1M
	call 2
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" snapshot -o broken 2>said || true
	perl -e 'getpgrp(1000000000 + 2 * $_) for 1 .. 20000'
	mkdir small
	mount -t tmpfs -o size=200k nodev small
	begin_vigil --on "$TRIGGERS" -o small/
	call 1
	end_vigil none 1
	grep -x "ktrace snapshot: first saving what an interrupted snapshot left" heard
	grep "cannot write to small/flight-.*: No space left on device" heard
	diff <(tail -n 2 heard | sed 's/hit [0-9.]* m\?s/hit 1 ms/') - <<-END
		  the events of 'flight' are kept for the next 'ktrace snapshot'
		  hit 1 ms ago, by $GETPGID, without a snapshot
	END
	[ "$(numbers_of small/*)" = 2 ]
	ktrace snapshot -o kept
	[ "$(numbers_of kept.earlier | wc -l)" -eq 20001 ]
	[ "$(numbers_of kept.earlier | tail -n 1)" -eq 1 ]
	ktrace stop
}

@test "without room on the disk it ends, and all is kept" {
	apart no_room
}

refusals() {
	refused 1 snapshot --on "$TRIGGERS"
	[ "$said" = "ktrace snapshot: $NOT_RUNNING" ]
	start_numbered -b 8K
	refused 2 snapshot --on "$TRIGGERS" --max 0
	diff <(echo "$said") - <<-END
		ktrace snapshot: not a number above 0
		  0
		  ^
	END
	refused 2 snapshot --on "$TRIGGERS" --max=-1
	refused 2 snapshot --on "$TRIGGERS" --max 3x
	refused 2 snapshot --on "$TRIGGERS" --every 10
	refused 2 snapshot --on "$TRIGGERS" --every 25h
	refused 2 snapshot --on 'sched_switch when prev_pid == 1'
	for option in --after=1s --every=1s --max=1; do
		refused 2 snapshot "$option"
		[ "$said" = "ktrace snapshot: ${option%=*} needs --on" ]
	done
	refused 1 snapshot --on nosuch
	[ "$(head -n 1 said)" = "ktrace snapshot: no event is called 'nosuch'; see 'ktrace list'" ]
	refused 1 snapshot --on 'sched_switch if nosuch == 1'
	[ "$(tail -n 1 said)" = "ktrace snapshot: no trigger left to wait for" ]
	refused 1 snapshot --on "$TRIGGERS" -o nowhere/s
	grep "^ktrace snapshot: cannot create the trace: nowhere: No such file or directory" said
	! setpriv --reuid 65534 --clear-groups "$KTRACE" snapshot --on "$TRIGGERS" 2>said
	grep -F "ermission denied" said
	[ "$("$KTRACE" status --json | jq -c '[.held, .resting, .taken]')" = "[0,0,0]" ]
	ktrace stop
}

@test "what is wrong is said, and nobody waits" {
	apart refusals
}
