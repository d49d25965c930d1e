#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a snapshot says about events that were disabled for a while. Witnesses: a program that writes
# down when it makes which call, babeltrace2, and the kernel's count of CPU time.

load flight

# Of a report.
export CALLS='.events[] | select(.event == "sys_enter_getpgid")'

start_calls() {
	perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC,usleep -e '
		sub now { clock_gettime(CLOCK_MONOTONIC) }
		$SIG{TERM} = sub { $ended = 1 };
		for ($n = 1; !$ended; $n++) {
			$begun = now; getpgrp(1000000 + $n); $done = now;
			printf "%d %.9f %.9f\n", $n, $begun, $done;
			usleep 500;
		}' >calls 3>&- &
	calls=$!
	trap 'kill $calls' EXIT
}

end_calls() {
	kill "$calls"
	wait "$calls" || true
	trap - EXIT
}

# In each span for which the event is message to be complete, every call made is in the trace, except
# for reported losses: at most the newest consecutive calls, with none after them.
check_calls() { # TRACE
	"$KTRACE" report --json "$1" | jq -r "[.begin, .end, ($CALLS |
		.complete_from, .complete_until),
		([.losses[] | select(.event == \"sys_enter_getpgid\") | .lost] | add // 0)]
		| map(tostring) | join(\" \")" >spans
	babeltrace2 "$1" | sed -n 's/.*sys_enter_getpgid: .* pid = 1\([0-9]\{6\}\) }$/\1/p' >numbers
	perl -e '
		open F, "<", "spans"; ($begin, $end, $from, $until, $lost) = split " ", <F>;
		$from = $begin if $from eq "null"; $until = $end if $until eq "null";
		$_ /= 1e9 for $begin, $end, $from, $until;
		open F, "<", "numbers"; $in{$_ + 0} = 1 while <F>;
		open F, "<", "calls";
		while (<F>) {
			($n, $begun, $done) = split;
			next if $begun < $begin || $done > $end;
			$complete = $begun >= $from && $done <= $until;
			die "call $n is missing\n" if $complete && !$in{$n} && --$lost < 0;
			($row, $of_them) = (0, 0) if $in{$n} && !$before;
			$row++, $of_them += $complete if $in{$n};
			$before = $in{$n};
			$missing++ if !$in{$n};
			$last = $begun if $in{$n};
		}
		printf "%d of %d in a row, %d missing, last %f s behind\n",
			$of_them, $row, $missing, $last - $until;
		exit !($row > 50 && $of_them > 0.8 * $row && $missing > 50 && $last - $until < 0.05);
	'
}

print_spans() { # TRACE
	"$KTRACE" report --json "$1" | jq -c "$CALLS | [has(\"complete_from\", \"complete_until\")]"
}

check_spans() {
	ktrace start -e "$GETPGID,sched_process_exec" -b 1M
	start_calls
	sleep 0.3
	ktrace disable -e sys_enter_getpgid
	sleep 0.3
	ktrace enable -e sys_enter_getpgid
	sleep 0.3
	ktrace disable -e sys_enter_getpgid
	sleep 0.3
	ktrace snapshot -o both
	[ "$(tail -n 1 message)" = "  1 of 2 events $INCOMPLETE" ]
	sleep 0.3
	ktrace enable -e sys_enter_getpgid
	sleep 0.3
	ktrace snapshot -o from
	sleep 0.3
	ktrace disable -e sys_enter_getpgid
	sleep 0.3
	ktrace snapshot -o until
	sleep 0.1
	ktrace snapshot -o never
	ktrace enable -e sys_enter_getpgid
	ktrace snapshot -o some
	sleep 0.1
	ktrace snapshot -o always
	[ "$(grep -c incomplete message)" -eq 0 ]
	end_calls
	ktrace stop

	[ "$(print_spans both)" = '[true,true]' ]
	check_calls both
	[ "$(print_spans from)" = '[true,false]' ]
	check_calls from
	[ "$(print_spans until)" = '[false,true]' ]
	check_calls until
	[ "$(print_spans never)" = '[false,true]' ]
	[ "$(babeltrace2 never | grep -c getpgid)" -eq 0 ]
	"$KTRACE" report never >report
	grep -x "  1 more event: disabled, paused, PID filter, filter changed or broken" report
	[ "$(print_spans always)" = '[false,false]' ]
	[ "$(grep -c complete_ always/metadata)" -eq 0 ]

	"$KTRACE" report both >report
	grep -x " *[0-9]* *-  $GETPGID, complete from 0\.[0-9]* to [01]\.[0-9]* s" report
	grep -x " *[0-9]* *[0-9.]*  sched:sched_process_exec" report
	"$KTRACE" report from >report
	grep -x " *[0-9]* *-  $GETPGID, complete from 0\.[0-9]* s on" report
	"$KTRACE" report until >report
	grep -x " *[0-9]* *-  $GETPGID, complete until 0\.[0-9]* s" report
	"$KTRACE" report --json until >report
	[ "$(jq '.events | map(select(has("per_second")) | .event)[]' report)" = '"sched_process_exec"' ]
}

@test "a snapshot reports when it has all records of an event that was disabled" {
	run_on_bpffs check_spans
}

check_disabled_before() {
	local cpu
	ktrace start -e "$GETPGID" -b 8K
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" perl -e 'getpgrp(1)'
	done
	ktrace disable -e "$GETPGID"
	ktrace enable -e "$GETPGID"
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" perl -e 'getpgrp(1) for 1 .. 1000'
	done
	ktrace snapshot -o trace
	[[ $message == *" overwritten" ]]
	[ "$(grep -c complete_ trace/metadata)" -eq 0 ]
	"$KTRACE" report trace | grep " [0-9.]*  $GETPGID" >row
	! grep complete row || false
	ktrace stop
}

@test "an event disabled before everything that is left counts as complete" {
	run_on_bpffs check_disabled_before
}

# In ms.
print_cpu_time() {
	awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000 / hz }' "/proc/$spinner/stat"
}

check_cpu_time() {
	local before after
	# It is switched out now and then, even with a CPU of its own.
	perl -e 'for (;;) { 1 for 1 .. 1e6; select undef, undef, undef, 0.001 }' 3>&- &
	spinner=$!
	trap 'kill $spinner' EXIT
	sleep 0.2
	before=$(print_cpu_time)
	ktrace start -e sched_switch,sched_process_exec
	sleep 0.5
	ktrace disable -e sched_switch
	after=$(print_cpu_time)
	sleep 1
	ktrace snapshot -o trace
	ktrace enable -e '*:*'
	ktrace snapshot -o again
	kill "$spinner"
	trap - EXIT
	ktrace stop
	"$KTRACE" report --json trace >report
	echo "$before $after $(jq ".cpu_times[] | select(.tid == $spinner).cpu_time" report)"
	jq -e --argjson tid "$spinner" --argjson spun "$((after - before + 20))" '
		.cpu_times[] | select(.tid == $tid).cpu_time / 1e6 | . > $spun / 2 and . < $spun
		' report
	jq -e '([.cpu_times[].cpu_time] | add) + .cpu_time_unknown - (.cpus | length) *
		(.end - .begin) | fabs < 1e8' report
	jq -e '.cpu_time_unknown > 2 * 0.9e9' report
}

@test "while sched_switch is disabled, running tasks count as unknown" {
	run_on_bpffs check_cpu_time
}
