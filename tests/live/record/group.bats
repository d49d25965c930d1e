#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# report --by: groups compared with those that jq makes of all events, and with sizes of files.

bats_require_minimum_version 1.5.0

load ../recording

# Writers of known files; calls that fail; slow calls; a call that never returns.
work='
	for i in 1 2 3; do dd if=/dev/zero of=$1/large bs=4096 count=50 oflag=append conv=notrunc status=none; done &
	for i in 1 2 3 4 5; do echo $i >>$1/small; cat /nowhere /proc/version; done
	echo >/dev/full
	wait
	sleep 0.05'

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	"$KTRACE" record -y -e 'syscalls:*,sched:*' -s 32 -- sh -c "$work" sh "$PWD" >/dev/null 2>stderr || true
	[ -d ktrace.out ] || skip "$(<stderr)"
	"$KTRACE" print --events --json >all
	# Calls with both events.
	jq -c --slurp 'reduce .[] as $e ({open: {}, calls: []};
			if $e.event | startswith("sys_enter_") then .open[$e.tid | tostring] = $e
			elif $e.event | startswith("sys_exit_") then
				.open[$e.tid | tostring] as $enter |
				if $enter and $enter.event[10:] == $e.event[9:]
				then .calls += [{name: $e.event[9:], enter: $enter, exit: $e,
					duration: ($e.time - $enter.time)}] else . end |
				.open[$e.tid | tostring] = null
			else . end) | .calls[]' all >calls
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	[ -s all ] || skip 'nothing is recorded here'
}

groups() { # OPTION...
	"$KTRACE" report --json "$@" | jq -c '.groups[]'
}

@test "events by fields of them" {
	groups -e 'sched:*' --by event,comm,cpu | jq -c '[.by.event, .by.comm, .by.cpu, .count]' | sort >groups
	jq -c --slurp 'map(select(.system == "sched")) | group_by([.event, .comm, .cpu])[] |
		[.[0].event, .[0].comm, .[0].cpu, length]' all | sort | diff - groups
	groups -e sched_switch --by next_pid --sum prev_pid | jq -c '[.by.next_pid, .count, .sum]' | sort >groups
	jq -c --slurp 'map(select(.event == "sched_switch")) | group_by(.fields.next_pid)[] |
		[.[0].fields.next_pid, length, (map(.fields.prev_pid) | add)]' all | sort | diff - groups
}

@test "calls by what is known of both sides, once each" {
	groups -e 'syscalls:*' -e '!exit_group,rt_sigreturn' --by event,tid --sum duration |
		jq -c '[.by.event, .by.tid, .count, .errors, .sum]' | sort >groups
	jq -c --slurp 'group_by([.name, .exit.tid])[] | [.[0].name, .[0].exit.tid, length,
		(map(select(.exit.fields.ret < 0 and .exit.fields.ret > -4096)) | length), (map(.duration) | add)]' \
		calls | sort | grep -v -e '\["v\?fork"' -e '"clone3\?"' >expected
	# A new task also returns from the fork.
	diff expected <(grep -v -e '\["v\?fork"' -e '"clone3\?"' groups)
	[ "$(jq -s 'map(select(.[0] | test("fork|clone"))[2]) | add' groups)" -eq \
		"$(jq -s 'map(select(.event | test("enter_(vfork|fork|clone)"))) | length' all)" ]
	groups -e 'syscalls:*' -f 'ret < 0' --by event,error | jq -c '[.by.event, .by.error, .count]' | sort >groups
	jq -c --slurp 'map(select(.exit.fields.ret < 0 and .exit.fields.ret > -4096)) |
		group_by([.name, .exit.labels.ret])[] | [.[0].name, .[0].exit.labels.ret[1:], length]' calls |
		sort | diff - groups
}

@test "who wrote to which files" {
	groups -e write --by comm,path --sum ret >groups
	[ "$(jq "select(.by.path == \"$PWD/large\" and .by.comm == \"dd\").sum" groups)" -eq "$(stat -c %s large)" ]
	[ "$(jq "select(.by.path == \"$PWD/large\").count" groups)" -eq 150 ]
	[ "$(jq "select(.by.path == \"$PWD/small\" and .by.comm == \"sh\").sum" groups)" -eq "$(stat -c %s small)" ]
	# What failed wrote nothing.
	jq -e 'select(.by.path == "/dev/full") | .count == 1 and .errors == 1 and .sum == 0' groups
	# A descriptor without a name has the path of its own.
	groups -e newfstatat -f 'filename == ""' --by path >groups
	jq -se 'length > 0 and all(.[]; .by.path | startswith("/"))' groups
}

@test "calls in progress count, without a return value" {
	groups -e exit_group --by event,ret | jq -se 'length == 1 and .[0].by.ret == null and .[0].count > 10'
	cp "$(type -P cat)" kt_cat # others may run cat
	"$KTRACE" record -o open -e syscalls:read -a -- sh -c 'sleep 0.5 | ./kt_cat & sleep 0.2' 2>/dev/null
	"$KTRACE" report open --json -e read --comm kt_cat --by comm,ret >report
	jq -e '.groups | map(select(.by.ret == null and .count == 1)) | length == 1' report
}

@test "quantiles" {
	groups -e write,openat,read --by event --quantiles duration >groups
	for call in write openat read; do
		jq --slurp "map(select(.name == \"$call\").duration) | sort" calls >durations
		jq "select(.by.event == \"$call\").quantiles" groups >found
		jq -n --slurpfile d durations --slurpfile f found '
			def rank(q): $d[0][([($d[0] | length) * q | ceil, 1] | max) - 1];
			def near(a; b): (a - b) * 50 <= b and (b - a) * 50 <= b;
			$f[0].n == ($d[0] | length) and $f[0].min == $d[0][0] and $f[0].max == $d[0][-1] and
			$f[0].total == ($d[0] | add) and near($f[0].p50; rank(0.5)) and
			near($f[0].p90; rank(0.9)) and near($f[0].p99; rank(0.99))' | grep -qx true
	done
}

@test "tables: sorted, the first rows, and the rest counted" {
	"$KTRACE" report -e 'syscalls:*' --by event,comm --sum duration --all | sed 1,4d >rows
	groups -e 'syscalls:*' --by event,comm --sum duration | jq -r '"\(.count) \(.errors) \(.by.event) \(.by.comm)"' >expected
	sed -E 's/^ +([0-9]+) +([0-9]+) +([0-9.]+ [num]?s|-) +([a-z0-9_]+) +/\1 \2 \4 /' rows | diff expected -
	"$KTRACE" report -e 'syscalls:*' --by event,comm --sum duration | sed 1,4d >first
	diff <(head -n 20 rows) <(head -n 20 first)
	[ "$(tail -n 1 first)" = "  $(($(wc -l <rows) - 20)) more groups, count $(sed 1,20d rows | awk '{n += $1} END {print n}'); --all has all" ]
}

@test "wrong input" {
	assert_fails() { # STATUS WORDS OPTION...
		run --separate-stderr "$KTRACE" report "${@:3}"
		[ "$status" -eq "$1" ]
		[ -z "$output" ]
		[[ $stderr == "ktrace report: $2"* ]]
	}
	assert_fails 1 "no selected event has a field or number 'nosuch'" --by nosuch
	assert_fails 1 "no selected event has a field or number 'comm'" --by pid --sum comm
	assert_fails 1 "no selected event has a 'path'" -e 'sched:*' --by path
	assert_fails 2 '--sum and --quantiles need --by' --sum ret
	assert_fails 2 'a field is empty' --by comm,
	assert_fails 2 'the field is there twice' --by comm,comm
}
