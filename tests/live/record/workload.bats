#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace record -- CMD: everything of CMD and its children, nothing of others, and no side effect on
# CMD.

bats_require_minimum_version 1.5.0

load ../recording

@test "100,000 calls are 100,000 events while another process makes as many" {
	dd if=/dev/zero of=/dev/null bs=1 status=none 3>&- &
	others+=($!)
	record -e sys_enter_write -b 16M -- dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none
	[ "$status" -eq 0 ]
	[ ! -s stdout ]
	[ "${message%%$'\n'*}" = "ktrace record: recording 1 event of 'dd' and its children" ]
	[ "$(wc -l <<<"$message")" -eq 2 ]
	[ "$(summary_events)" -eq 100000 ]
	[ "$(summary_filtered)" -gt 0 ]
	[ "$(count_events ktrace.out)" -eq 100000 ]
}

@test "children and their children are recorded, others are not" {
	mkfifo go
	start -e "$EXIT" bash -c 'read <go; for i in 1 2 3; do (./kt_witness; ./kt_witness; :); done'
	run_witness 5
	echo >go
	finish
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out kt_witness)" -eq 6 ]
	# And those of three subshells, and of their parent.
	[ "$(count_events ktrace.out)" -eq 10 ]
	[ "$(summary_events)" -eq 10 ]
	[ "$(summary_filtered)" -ge 5 ]
}

@test "its first event is its exec" {
	record -e raw_syscalls:sys_enter,sys_enter_execve true
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out sys_enter_execve)" -eq 1 ]
	[ "$(head -n 2 events | grep -c sys_enter_execve)" -eq 1 ]
}

@test "in a container, where PIDs start from 1" {
	via=(unshare -fp)
	record -e "$EXIT" sh -c './kt_witness; ./kt_witness; :'
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out)" -eq 3 ]
}

@test "it has the same signals, limits, descriptors and input as without ktrace" {
	look='grep -E "^Sig(Blk|Ign|Cgt)" /proc/self/status; ulimit -n; readlink /proc/self/fd/*; cat'
	echo input text >input
	given=(env --block-signal=USR1 --ignore-signal=CHLD,QUIT --default-signal=PIPE
		bash -c 'ulimit -Sn 100; exec "$@"' -)
	"${given[@]}" bash -c "$look" <input >without 2>&1
	"${given[@]}" "$KTRACE" record -e "$EXIT" bash -c "$look" <input >with 2>message
	grep -v '^ktrace record: ' message >>with || true
	[ "$(grep -c 'input text' with)" -eq 1 ]
	diff <(sed 's,/proc/[0-9]*/,/proc/self/,; s,/with$,/without,; s,/message$,/without,' with) \
		<(sed 's,/proc/[0-9]*/,/proc/self/,' without)
}

@test "the exit status is the command's, or a shell's if it cannot be run" {
	record -e "$EXIT" sh -c 'exit 7'
	[ "$status" -eq 7 ]
	record -e "$EXIT" sh -c 'kill -TERM $$'
	[ "$status" -eq 143 ]

	use_one_cpu
	record -e "$EXIT" -b 8K --strict sh -c 'kill -STOP $PPID
		for i in $(seq 600); do ./kt_witness; done; kill -CONT $PPID'
	[ "$status" -eq 3 ]
	[[ $message == *" no room in the ring (-b)"* ]]
}

@test "an executable file that is no program: reported, and its trace remains" {
	echo 'neither script nor program' >neither
	chmod +x neither
	record -e "$EXIT" -o t ./neither
	[ "$status" -eq 126 ]
	[[ $message == *$'\n'"ktrace record: cannot run './neither': Exec format error"$'\n'* ]]
	[ "$(count_events t)" -eq "$(summary_events)" ]
}

@test "a missing command is reported before anything is done" {
	touch plain
	mkdir bin
	cp kt_witness plain bin
	for path in "" "$PATH:" "$PATH:$PWD/bin"; do
		via=(env PATH="$path")
		record -e "$EXIT" kt_nosuch
		[ "$status" -eq 127 ]
		[ "$message" = "ktrace record: cannot run 'kt_nosuch': no such program in PATH" ]
	done
	via=(env PATH="bin:$PATH")
	record -e "$EXIT" plain
	[ "$status" -eq 126 ]
	[ "$message" = "ktrace record: cannot run 'plain': Permission denied" ]
	record -e "$EXIT" bin/nosuch
	[ "$status" -eq 127 ]
	[ "$message" = "ktrace record: cannot run 'bin/nosuch': No such file or directory" ]
	record -e "$EXIT" ./bin
	[ "$status" -eq 126 ]
	[ "$message" = "ktrace record: cannot run './bin': Is a directory" ]
	record -e "$EXIT" ""
	[ "$status" -eq 127 ]
	[ ! -e ktrace.out ]

	for path in "$PATH::" "nosuch:bin:$PATH"; do
		via=(env PATH="$path")
		record -e "$EXIT" kt_witness
		[ "$status" -eq 0 ]
	done
}

@test "if nothing can be recorded, the command is not run" {
	hide_exec_format
	record -e sched_process_exec touch ran
	[ "$status" -eq 1 ]
	via=()
	mkdir theirs
	touch theirs/notes
	record -e "$EXIT" -o theirs touch ran
	[ "$status" -eq 1 ]
	run env --block-signal=TERM bash -c 'kill -TERM $$; exec "$@"' - \
		"$KTRACE" record -e "$EXIT" touch ran
	[ "$status" -eq 1 ]
	[ "$output" = "ktrace record: interrupted before anything was recorded" ]
	[ ! -e ran ]
}

# ktrace's messages are blocked until the signal has arrived.
@test "a signal before the command starts ends the recording" {
	mkfifo message
	exec 5<>message
	head -c 65536 /dev/zero >&5
	"$KTRACE" record -e "$EXIT" touch ran 2>&5 3>&- &
	pid=$!
	until [ -e ktrace.out/metadata ]; do kill -0 "$pid"; done
	kill -TERM "$pid"
	head -c 65536 <&5 >zeros
	wait "$pid" || status=$?
	pid=
	[ "$status" -eq 1 ]
	read -r <&5
	read -r line <&5
	[ "$line" = "ktrace record: interrupted before 'touch' was started" ]
	[ "$(count_events ktrace.out)" -eq 0 ]
	[ ! -e ran ]
}

@test "processes left running do not delay the end" {
	record -e "$EXIT" bash -c 'sleep 60 >/dev/null 2>&1 3>&- & echo $! >left; ./kt_witness; :'
	others+=("$(<left)")
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out)" -eq 2 ]
}

# Waits for signals and reports each. $PPID is ktrace.
hold='for s in INT TERM; do trap "echo $s; [ $s = INT ] || exit 9" $s; done
	echo $$ $PPID >&7; while :; do read -t 1 <>hold; done'

@test "a signal to ktrace is passed on once, and recording goes on until the command ends" {
	mkfifo hold held
	start -e "$EXIT" bash -c "exec 7>held; $hold"
	read -r cmd us <held
	[ "$us" -eq "$pid" ]
	kill -TERM "$pid"
	finish
	[ "$status" -eq 9 ]
	[ "$(<stdout)" = TERM ]
	[ "$(count_events ktrace.out)" -eq 1 ]
}

# A recording of the whole machine shows who was sent what.
@test "Ctrl-C in a terminal reaches the command once" {
	mkfifo hold held keys
	env --default-signal=INT SHELL=/bin/sh script -qefc "exec $KTRACE record -e $EXIT -o t bash -c 'exec 7>held; . ./hold.sh'" typed \
		<keys >screen 3>&- &
	others+=($!)
	echo "$hold" >hold.sh
	exec 6>keys
	read -r cmd us <held
	start -e signal_generate -o sent
	printf '\003' >&6
	until grep -q INT screen; do kill -0 "$us"; done
	kill -TERM "$us"
	wait "${others[0]}" || status=$?
	[ "$status" -eq 9 ]
	exec 6>&-
	kill -INT "$pid"
	finish
	[ "$(count_events sent "sig = 2, .* pid = $cmd,")" -eq 1 ]
	[ "$(count_events sent "sig = 15, .* pid = $cmd,")" -eq 1 ]
	[ "$(count_events t)" -eq 1 ]
	# No progress is drawn over its output.
	! grep -q $'\033' screen
}

# The trace has its final event counts.
assert_ended() { # DIR
	"$KTRACE" report "$1" >reported
	grep -q ', none lost' reported
	[ -s "$1/ktrace/counts.jsonl" ]
}

@test "signals that would end ktrace are passed on, or end the recording properly" {
	for signal in HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 ALRM TERM STKFLT XCPU VTALRM PROF IO \
		PWR SYS RTMIN RTMAX-1 RTMAX; do
		via=(env --default-signal=INT,QUIT bash -c 'ulimit -c 0; exec "$@"' -)
		start -e "$EXIT" -o t sleep 60
		until pgrep -x -P "$pid" sleep >none; do kill -0 "$pid"; done
		kill -s "$signal" "$pid"
		finish
		[ "$status" -eq $((128 + $(kill -l "$signal"))) ]
		assert_ended t
		start -e "$EXIT" -o t
		kill -s "$signal" "$pid"
		finish
		[ "$status" -eq 0 ]
		assert_ended t
	done
	# A timer set before, which the command does not inherit.
	via=(perl -e 'alarm 1; exec @ARGV')
	record -e "$EXIT" -o t sleep 60
	[ "$status" -eq $((128 + 14)) ]
	assert_ended t
}

# Writes each signal to the file got, until USR1.
note='$| = 1; open G, ">>got"; $SIG{$_} = sub { syswrite G, "$_[0]\n" } for qw(TERM INT QUIT HUP USR2);
	$SIG{USR1} = sub { exit 3 }; open R, ">ready"; sleep 1 while 1'

@test "a signal to the process group reaches the command once, as does one to both" {
	via=(setsid)
	start -e "$EXIT" -o t perl -e "$note"
	until [ -e ready ]; do kill -0 "$pid"; done
	n=0
	for signal in TERM INT QUIT HUP USR2 TERM TERM USR2; do
		kill -s "$signal" -- "-$pid"
		n=$((n + 1))
		until [ "$(grep -c . got)" -ge "$n" ]; do kill -0 "$pid"; done
		sleep .2
		[ "$(grep -c . got)" -eq "$n" ]
	done
	# To ktrace only: passed on. To the command only: ignored by ktrace.
	kill -TERM "$pid"
	until [ "$(grep -c . got)" -ge $((n + 1)) ]; do kill -0 "$pid"; done
	cmd=$(pgrep -P "$pid" perl)
	kill -TERM "$cmd"
	until [ "$(grep -c . got)" -ge $((n + 2)) ]; do kill -0 "$pid"; done
	perl -e 'kill "USR2", @ARGV' "$pid" "$cmd"
	sleep .3
	[ "$(grep -c . got)" -eq $((n + 3)) ]
	kill -USR1 "$pid"
	finish
	[ "$status" -eq 3 ]
	assert_ended t
}

state_of() { # PID
	sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$1/status"
}

# In an interactive shell, whose jobs a terminal can stop.
@test "Ctrl-Z stops the command, not the recording; Ctrl-C then ends both" {
	mkfifo keys
	env --default-signal=INT,TSTP SHELL=/bin/sh script -qefc "bash --norc --noprofile -i" typed <keys >screen 3>&- &
	others+=($!)
	exec 6>keys
	echo "$KTRACE record -a -e $EXIT -o t sh -c 'echo \$\$ \$PPID >pids; sleep 60'; exit" >&6
	until [ -s pids ]; do kill -0 "${others[0]}"; done
	read -r cmd us <pids
	until pgrep -x -P "$cmd" sleep >none; do kill -0 "$us"; done
	printf '\032' >&6
	until [ "$(state_of "$cmd")" = T ]; do kill -0 "$us"; done
	until grep -q "'sh' is stopped, recording continues" screen; do kill -0 "$us"; done
	run_witness 50
	[ "$(state_of "$us")" != T ]
	printf '\003' >&6
	wait "${others[0]}" || status=$?
	exec 6>&-
	[ "$status" -eq 130 ]
	assert_ended t
	[ "$(count_events t kt_witness)" -eq 50 ]
}

@test "Ctrl-Z does not stop a recording of the whole machine" {
	mkfifo keys
	env --default-signal=INT,TSTP SHELL=/bin/sh script -qefc "echo \$\$ >pids; exec $KTRACE record -e $EXIT -o t" \
		typed <keys >screen 3>&- &
	others+=($!)
	exec 6>keys
	until grep -q ': recording ' screen; do kill -0 "${others[0]}"; done
	printf '\032' >&6
	sleep .2
	run_witness 50
	[ "$(state_of "$(<pids)")" != T ]
	printf '\003' >&6
	wait "${others[0]}"
	exec 6>&-
	assert_ended t
	[ "$(count_events t kt_witness)" -eq 50 ]
}
