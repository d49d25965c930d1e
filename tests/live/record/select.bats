#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# print and report of selected events, compared with a selection by jq from all of them.

bats_require_minimum_version 1.5.0

load ../recording

# Calls that fail and succeed, by several tasks on all CPUs, some of them slow.
work='
	for i in 1 2 3 4 5 6 7 8; do cat /nowhere /proc/version; done &
	for i in 1 2 3 4 5 6 7 8; do ls -d / /nowhere; done
	sleep 0.05
	wait
	sh -c "kill -USR1 \$\$"'

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	"$KTRACE" record -e 'syscalls:*,sched:*,signal:*' -s 32 -- sh -c "$work" >/dev/null 2>stderr || true
	[ -d ktrace.out ] || skip "$(<stderr)"
	"$KTRACE" print --events --json >all
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	[ -s all ] || skip 'nothing is recorded here'
}

# Prints "time event" of selected hits, as jq selects them.
by_jq() { # CONDITION
	jq -c "select($1) | [.time, .event]" all | sort
}

by_ktrace() { # OPTION...
	"$KTRACE" print --events --json "$@" | jq -c '[.time, .event]' | sort
}

# Both select the same, some and not all.
assert_same() { # CONDITION OPTION...
	by_jq "$1" >expected
	by_ktrace "${@:2}" >selected
	diff expected selected
	[ -s selected ]
	[ "$(wc -l <selected)" -lt "$(wc -l <all)" ]
}

# Prints "time event" of both events of those calls whose entry, return and duration are so.
calls_by_jq() { # CONDITION, of $enter, $exit and $duration
	jq -rc --slurp "reduce .[] as \$e ({open: {}, found: []};
			if \$e.event | startswith(\"sys_enter_\") then .open[\$e.tid | tostring] = \$e
			elif \$e.event | startswith(\"sys_exit_\") then
				.open[\$e.tid | tostring] as \$enter | \$e as \$exit |
				(if \$enter then \$e.time - \$enter.time else 0 end) as \$duration |
				if \$enter and (\$enter.event[10:] == \$exit.event[9:]) and ($1)
				then .found += [\$enter, \$exit] else . end |
				.open[\$e.tid | tostring] = null
			else . end) | .found[] | [.time, .event]" all | sort
}

assert_same_calls() { # CONDITION OPTION...
	calls_by_jq "$1" >expected
	by_ktrace "${@:2}" >selected
	diff expected selected
	[ -s selected ]
}

@test "events are selected by patterns, and excluded" {
	assert_same '.system == "sched"' -e 'sched:*'
	assert_same '.event | endswith("_openat")' -e openat
	assert_same '.event == "sys_exit_openat" or .system == "signal"' -e sys_exit_openat,signal:*
	assert_same '.system == "sched" and .event != "sched_switch"' -e 'sched:*' -e '!sched_switch'
	assert_same '.system != "syscalls"' -e '!syscalls:*'
}

@test "calls are selected as a whole by what is known of both sides" {
	assert_same_calls '$exit.fields.ret < 0' -e 'syscalls:*' -f 'ret < 0'
	assert_same_calls '$exit.fields.ret == -2 and $exit.event == "sys_exit_openat"' \
		-e openat -f 'ret == -ENOENT'
	assert_same_calls '$duration > 20000000' -f 'duration > 20ms'
	assert_same_calls '$enter.fields.fd == 1' -f 'fd == 1'
	assert_same_calls '$enter.fields.fd == 1 and $exit.fields.ret > 20' -f 'fd == 1 && ret > 20'
	assert_same_calls '$enter.fields.count == 131072 and ($duration > 1000 | not)' \
		-f 'count == 128K && !(duration > 1us)'
	assert_same_calls '($enter.event == "sys_enter_openat") and ($enter.fields.__filename_val // "" | test("nowhere$"))' \
		-e openat -f 'filename ~ "*nowhere"'
	assert_same_calls '($enter.event == "sys_enter_openat") and (($enter.fields.__filename_val // "" | test("nowhere$")) or $exit.fields.ret == 3)' \
		-e openat -f 'filename ~ "*nowhere" || ret == 3'
	# One side only.
	assert_same '.event == "sys_exit_read" and .fields.ret == 0' -e sys_exit_read -f 'ret == 0'
	assert_same '.event == "sys_enter_write" and .fields.fd == 2' -e sys_enter_write -f 'fd == 2'
}

@test "filters of several -e, and of all" {
	assert_same '(.event == "sched_switch" and .fields.prev_prio == 120) or .event == "sched_wakeup"' \
		-e sched_switch -f 'prev_prio == 120' -e sched_wakeup
	assert_same '(.event == "sched_switch" and .fields.prev_prio == 120 and .cpu == 1)' \
		-f 'CPU == 1' -e sched_switch -f 'prev_prio == 120'
	# What a filter does not fit is not selected.
	assert_same '.fields.next_pid > 0' -f 'next_pid > 0'
	assert_same '.comm == "cat" and .system == "sched"' -e 'sched:*' -f 'COMM == "cat" || COMM == "nix"'
}

@test "tasks, CPUs" {
	local tid
	tid=$(jq -r 'select(.comm == "ls").tid' all | head -n 1)
	assert_same ".tid == $tid" --tid "$tid"
	assert_same ".tid == $tid" -p "$tid"
	assert_same '(.comm == "cat" or .comm == "sleep") and .system == "sched"' \
		-e 'sched:*' --comm cat --comm 'sl??p'
	# A call belongs to the task as it was called at the entry.
	assert_same_calls '$enter.comm == "cat" or $enter.comm == "sleep"' -e 'syscalls:*' -e '!exit_group' --comm 'c*t,[s]leep'
	assert_same '.system == "sched" and .cpu == 1' -e 'sched:*' --cpu 1
	diff <(by_ktrace -e 'sched:*') <(by_ktrace -e 'sched:*' --cpu 0-4095)
	[ -z "$(by_ktrace --cpu 4095)" ]
	run -2 "$KTRACE" print --comm 'c[at'
	run -2 "$KTRACE" print -f 'comm ~ "c[at"'
}

# Of a call that began before and returned within, nothing is selected; of one that began within, all.
@test "times" {
	local begin end middle second
	begin=$("$KTRACE" report --json | jq .begin)
	end=$("$KTRACE" report --json | jq .end)
	middle=$(jq -s "map(select(.system == \"sched\").time) | .[length / 2 | floor]" all)
	second=$((middle / 1000000000)).$(printf %09d $((middle % 1000000000)))
	assert_same ".system == \"sched\" and .time >= $middle" -e 'sched:*' --since "$second"
	assert_same ".system == \"sched\" and .time <= $middle" -e 'sched:*' --until "$second"
	assert_same ".system == \"sched\" and .time >= $((begin + 20000000))" -e 'sched:*' --since +0.02
	assert_same ".system == \"sched\" and .time <= $((end - 20000000))" -e 'sched:*' --until -20ms
	assert_same ".system == \"sched\" and .time >= $((begin + 10000000)) and .time <= $((begin + 60000000))" \
		-e 'sched:*' --since +10ms --until +60ms
	# A call that began before the end is whole; one that the filter knows by its return, too.
	assert_same_calls "\$enter.event == \"sys_enter_wait4\" and
		\$enter.time >= $((begin + 10000000)) and \$enter.time <= $middle" \
		-e wait4 --since +10ms --until "$second"
	assert_same_calls "\$enter.time <= $middle and \$duration > 200000" \
		-f 'duration > 200us' --until "$second"
	second=$(date -d "@$(("$("$KTRACE" report --json | jq .since_1970)" / 1000 + middle / 1000))e-6" +%T.%6N 2>/dev/null) ||
		second=$(perl -MPOSIX -e 'my $ns = shift; print strftime("%T", localtime($ns / 1e9)), sprintf(".%09d", $ns % 1e9)' \
			$(("$("$KTRACE" report --json | jq .since_1970)" + middle)))
	assert_same ".system == \"sched\" and .time >= $middle" -e 'sched:*' --since "$second"
}

@test "the first and the last" {
	"$KTRACE" print -e 'sched:*' >lines
	"$KTRACE" print -e 'sched:*' --first 7 | diff - <(head -n 7 lines)
	"$KTRACE" print -e 'sched:*' --last 7 | diff - <(tail -n 7 lines)
	"$KTRACE" print -e 'sched:*' --last 1000000 | diff - lines
	# A call counts once, and is whole.
	"$KTRACE" print -Z -e openat >lines
	"$KTRACE" print -e openat -f 'ret < 0' --first 5 --strace >first
	cut -d' ' -f 1-2 first | diff - <(head -n 5 lines | cut -d' ' -f 1-2)
	[ "$("$KTRACE" print -e openat -f 'ret < 0' --last 5 --json | wc -l)" -eq 5 ]
	diff <("$KTRACE" print -e openat -f 'ret < 0' --last 5 --strace | sort) <(tail -n 5 lines | sort)
}

@test "a report of what is selected" {
	"$KTRACE" report --json -e openat -f 'ret < 0' >report
	calls_by_jq '$exit.event == "sys_exit_openat" and $exit.fields.ret < 0' >expected
	[ "$(jq .count report)" -eq "$(wc -l <expected)" ]
	[ "$(jq '.tasks | map(.count) | add' report)" -eq "$(wc -l <expected)" ]
	jq -e '.partial and (.cpu_times | not)' report
	[ "$("$KTRACE" report --json -C 1 | jq .count)" -eq "$(by_ktrace --cpu 1 | wc -l)" ]
	[ "$("$KTRACE" report --json --since +10ms --until +60ms | jq '.end - .begin')" -eq 50000000 ]
	"$KTRACE" report -e openat | grep -E '^[0-9]+ events selected, [0-9.]+/s; in the whole trace none lost'
}

@test "wrong input" {
	assert_fails() { # STATUS WORDS OPTION...
		run --separate-stderr "$KTRACE" print "${@:3}"
		[ "$status" -eq "$1" ]
		[ -z "$output" ]
		[[ $stderr == "ktrace print: $2"* ]]
	}
	assert_fails 1 "no event in the trace is called 'nosuch'; see 'ktrace report'" -e nosuch
	assert_fails 1 "no event in the trace is called 'sched_swich'; did you mean 'sched:sched_switch'?" -e sched_swich
	assert_fails 2 'expected a number here' -f 'ret <'
	assert_fails 1 "unknown field 'nosuch'" -e openat -f 'nosuch == 1'
	assert_fails 1 "'__vec_val' is a struct" -e writev -f '__vec_val == 1'
	assert_fails 2 'two --filter for all events' -f 'ret < 0' -f 'ret > 0'
	assert_fails 2 'not a time' --since yesterday
	assert_fails 2 'not a time' --until 25:00
	assert_fails 2 '--until must be after --since' --since +2 --until +1
	assert_fails 2 '--first and --last exclude each other' --first 1 --last 1
	assert_fails 2 'not a number, or range of numbers' -p 1,x
	assert_fails 2 'not a number above 0' --first 0
}
