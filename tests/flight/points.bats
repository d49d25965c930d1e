#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of programs as events of flight recorders. The witness: what tests/traced/functions
# prints of its own calls.

load flight
load tree

# Runs the program, of which a copy may be replaced, and keeps what it prints.
run_functions() { # ARG...
	./functions "$@" >>printed
}

# Prints the first two arguments of each call in a snapshot.
print_calls() { # TRACE
	"$KTRACE" print --json "$1" | jq -r 'select(.event == "functions:mix").fields | "\(.arg0) \(.arg1)"'
}

check_snapshots() {
	cp "$TRACED/functions" .
	ktrace start -b 64K -e uprobe:./functions:mix -f 'arg0 > 0 && arg0 < 9' -e uprobe:./functions:mix:return
	run_functions values
	ktrace snapshot -o one
	print_calls one | diff - <(awk '$2 > 0 && $2 < 9 { print $2, $3 }' printed)
	[ "$("$KTRACE" print --json one | jq -s 'map(select(.event == "functions:mix:return")) | length')" -eq 4 ]

	# Another process attaches what was detached.
	ktrace disable -e 'uprobe:functions:mix:return'
	[ "$(ls "$PLACE/flight/program")" = "$(printf 'uprobe:%s\n' 0:1)" ]
	run_functions forks 3
	ktrace enable -e 'uprobe:*:return'
	run_functions forks 5
	ktrace snapshot -o two
	[ "$(print_calls two | wc -l)" -eq 0 ]
	"$KTRACE" print --json two | jq -s -e 'map(select(.event == "functions:mix:return")) | length == 5'
	grep -q "$INCOMPLETE" message
	ktrace stop
}

@test "snapshots have each call; events are disabled and enabled by name" {
	run_on_bpffs check_snapshots
}

check_replaced() {
	cp "$TRACED/functions" .
	ktrace start -b 64K -e uprobe:./functions:mix -e sched:sched_process_exit
	ktrace disable -e 'uprobe:*'
	cp ./functions other
	mv other functions
	! ktrace enable -e 'uprobe:*'
	grep -q "cannot record uprobe:functions:mix: $PWD/functions has been replaced or changed" message
	[ "$(ls "$PLACE/flight/program")" = sched:sched_process_exit:1 ]
	ktrace stop
}

@test "a function of a file that was replaced is not attached again" {
	run_on_bpffs check_replaced
}

# Prints the arguments of each hit of a mark with two.
print_marks() { # TRACE
	"$KTRACE" print --json "$1" | jq -r 'select(.event | strings | startswith("marks:")).fields | "\(.arg0) \(.arg1)"'
}

check_marks() {
	cp "$TRACED/marks" .
	ktrace start -b 64K -e usdt:./marks:witness:sites -f 'arg1 != 0' -e usdt:./marks:guarded
	./marks sites 4 | awk '$3 != 0 { print $2, $3 }' >printed
	[ "$(wc -l <printed)" -eq 10 ]
	./marks guarded 2
	ktrace snapshot -o one
	print_marks one | head -n 10 | diff printed -
	print_marks one | tail -n +11 | diff - <(printf '2 null\n1 null\n')

	# Another process attaches what was detached; the semaphore is up again.
	ktrace disable -e 'usdt:*'
	[ "$(./marks guarded 1)" = off ]
	ktrace enable -e 'usdt:marks:*'
	[ "$(./marks guarded 1)" = 'guarded 1' ]
	./marks sites 4 >/dev/null
	ktrace snapshot -o two
	print_marks two | tail -n +2 | diff printed -
	ktrace stop
	[ "$(./marks guarded 1)" = off ]
}

@test "USDT marks of several sites and with semaphores are disabled and enabled" {
	run_on_bpffs check_marks
}

check_missed() {
	cp "$TRACED/functions" .
	ktrace start -b 64K -e uprobe:./functions:nest:return -e sched:sched_process_exit
	run_functions depth 69
	ktrace snapshot -o one
	grep -q 'functions:nest:return: lost 6 of 70: 6 missed' message
	run_functions depth 64
	ktrace disable -e uprobe:functions:nest:return
	run_functions depth 70
	ktrace snapshot -o two
	grep -q 'functions:nest:return: lost 1 of 65: 1 missed' message
	ktrace stop
}

@test "returns that the kernel misses are counted in the snapshot of their time" {
	run_on_bpffs check_missed
}

check_triggers() {
	cp "$TRACED/functions" .
	ktrace start -b 64K -e sched:sched_process_exec --freeze-on 'uprobe:./functions:nest if arg0 == 3'
	run_functions depth 2
	./kt_flown
	! grep -q frozen <("$KTRACE" status)
	run_functions depth 5
	grep -q 'frozen' <("$KTRACE" status)
	run_functions depth 2
	ktrace snapshot -o t
	"$KTRACE" print --json t | jq -s -e 'last | .event == "functions:nest" and .fields.arg0 == 3'
	ktrace stop

	ktrace start -b 64K -e sched:sched_process_exec
	"$KTRACE" snapshot --on uprobe:./functions:nest:return --max 1 -o on 2>on.message &
	waiter=$!
	await grep -q Ctrl-C on.message
	run_functions depth 0
	wait $waiter
	"$KTRACE" report on-* | grep -q 'uprobe:functions:nest:return'
	ktrace stop
}

@test "calls of functions freeze it, and take snapshots" {
	run_on_bpffs check_triggers
}

check_tree() {
	cp "$TRACED/functions" .
	mkdir sub
	cp functions sub
	ktrace start -b 64K -e uprobe:./functions:mix,uprobe:./sub/functions:mix:return
	start_server tree
	away=${PWD//\//!}!sub!functions:mix:return
	[ "$(ls tree/events/uprobe)" = "$(printf '%s\n' "$away" enable functions:mix)" ]
	diff tree/events/uprobe/functions:mix/format - <<-END
		name: functions:mix
		ID: 0
		format:
		$(for i in 0 1 2 3 4 5; do
			printf '\tfield:long arg%d;\toffset:%d;\tsize:8;\tsigned:1;\n' $i $((12 + 8 * i))
		done)

		print fmt: "arg0=%ld arg1=%ld arg2=%ld arg3=%ld arg4=%ld arg5=%ld", REC->arg0, REC->arg1, REC->arg2, REC->arg3, REC->arg4, REC->arg5
	END
	[ "$(<tree/events/uprobe/functions:mix/id)" = 0 ]
	grep -qx "name 'uprobe:functions:mix' format 'arg0=%ld .*' id 0 enabled" tree/info
	echo 'arg1 == -2' >tree/events/uprobe/functions:mix/filter
	echo 0 >"tree/events/uprobe/$away/enable"
	run_functions values
	[ "$(grep -c 'functions:mix: arg0=1 arg1=-2' tree/trace)" -eq 1 ]
	[ "$(grep -c 'functions:mix' tree/trace)" -eq 1 ]
	stop_server
	ktrace stop
}

@test "the control tree has them, with formats of their own" {
	skip_without_fuse
	run_on_bpffs check_tree
}
