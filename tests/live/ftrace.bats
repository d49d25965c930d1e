#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The same hits in a trace and in an instance of ftrace that was made for this: event by event and
# field by field, as the kernel prints them.

bats_require_minimum_version 1.5.0

load recording

EVENTS=(
	raw_syscalls:sys_enter raw_syscalls:sys_exit
	sched:sched_process_exec sched:sched_process_exit
	sched:sched_process_fork sched:sched_process_wait
	signal:signal_deliver signal:signal_generate
	task:task_newtask task:task_rename
)

# What is recorded: paths, children, failing calls and signals.
work() {
	for _ in 1 2 3 4 5; do
		./kt_witness ./nowhere
	done
	cat ./nowhere | ./kt_witness
	trap : USR1
	kill -USR1 "$BASHPID"
	(kill -TERM "$BASHPID")
}

# ftrace is turned on and off by a process that is not looked at; its number is in ./outside.
work_in_ftrace() { # INSTANCE
	echo $$ >outside
	echo $$ >"$1/set_event_pid"
	echo 1 >"$1/tracing_on"
	(work)
	echo 0 >"$1/tracing_on"
}

# Record work with both, and leave t, what ktrace said, and what ftrace has in its two ways of
# printing it, as_fields and as_formats.
record_beside_ftrace() { # EVENT...
	local event instance=tracefs/instances/kt_test_$$ args=()
	mount -t tracefs nodev tracefs
	mkdir "$instance"
	# shellcheck disable=SC2064 # it is local
	trap "rmdir $instance" EXIT
	echo 0 >"$instance/tracing_on"
	echo mono >"$instance/trace_clock"
	echo 1 >"$instance/options/event-fork"
	for event; do
		echo 1 >"$instance/events/${event/://}/enable"
		args+=(-e "$event")
	done
	"$KTRACE" record "${args[@]}" -o t -- bash -c "$(declare -f work work_in_ftrace)
		work_in_ftrace $instance" 2>said
	cat "$instance"/per_cpu/cpu*/stats >stats
	echo 0 >"$instance/options/fields"
	cat "$instance/trace" >as_formats
	echo 1 >"$instance/options/fields"
	cat "$instance/trace" >as_fields
}

# ftrace's events in the form of as_lines_have_it, with microseconds. Of the fields of sys_enter the
# kernel can print only one; all of them are in the event's own format.
as_ftrace_has_it() {
	awk 'NR == FNR { format[NR] = $0; next } / sys_enter: / { $0 = format[FNR] } 1' \
		as_formats as_fields | sed -nE '
		s/=(0x[0-9a-f]+ )?\((-?[0-9]+)\)/=\2/g
		s/^ *.*-([0-9]+) +\[0*([0-9]+)\] [^ ]+ +([0-9]+)\.([0-9]+): (\w+: .*)$/\3\4 \2 \1 \5/p'
}

# The lines of as_lines_have_it with the fields of sys_enter in that event's own format.
with_formatted_calls() {
	local line args
	while read -r line; do
		if [[ $line =~ ^(.* sys_enter:)\ id=([-0-9]+)\ args=\{(.*)\}$ ]]; then
			printf -v args ', %x' ${BASH_REMATCH[3]//,/ }
			line="${BASH_REMATCH[1]} NR ${BASH_REMATCH[2]} (${args#, })"
		fi
		echo "$line"
	done
}

# What happened in each thread, one after the other, without what was done outside.
by_thread() {
	awk -v outside="$(<outside)" '$3 != outside' | sort -s -k 3,3n
}

skip_without_ftrace() {
	skip_in_a_container
	unshare -m sh -c 'mount -t tracefs nodev tracefs && ls tracefs/instances tracefs/options/fields' \
		2>why >/dev/null || skip "ftrace cannot be asked: $(<why)"
}

# Both at work: what it leaves see record_beside_ftrace.
record_both() { # EVENT...
	mkdir tracefs
	skip_without_ftrace
	status=0
	unshare -m bash -ec "$(declare -f work work_in_ftrace record_beside_ftrace)
		record_beside_ftrace $*" 3>&- || status=$?
	said=$(<said)
	echo "$said"
	[[ $said != *"Operation not permitted"* && $said != *"Permission denied"* ]] || skip "$said"
	[ "$status" -eq 0 ]
	[[ $said != *lost* ]]
	[ -z "$(grep -E '(overrun|dropped events): [^0]' stats)" ]
}

@test "every hit and every value of ten events as an instance of ftrace has them" {
	record_both "${EVENTS[@]}"
	as_ftrace_has_it | by_thread >ftrace
	as_lines_have_it t | with_formatted_calls | by_thread >ktrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	for event in "${EVENTS[@]}"; do
		grep -q " ${event#*:}: " ktrace
	done
	[ "$(grep -c 'sched_process_exec: filename=./kt_witness ' ktrace)" -eq 6 ]
	grep -q ' sys_exit: .* ret=-[0-9]' ktrace

	# Each at the time at which ftrace has it: after the one before, and before the one after.
	paste -d' ' <(cut -d' ' -f 1,3 ftrace) <(cut -d' ' -f 1 ktrace) | awk '
		$2 == thread && ($3 / 1000 < ftrace - 1 || ktrace / 1000 > $1 + 1) { print; bad = 1 }
		{ ftrace = $1; thread = $2; ktrace = $3 }
		END { exit bad }'
}

# Of lines as as_lines_have_it has them, and of ftrace's own: how the value of one field is called.
labels() {
	sed -nE '
		s/^(.* sched_switch:) .* prev_state=(\S+) .*$/\1 \2/p
		s/^(.* kmalloc:) .* gfp_flags=(\S+) .*$/\1 \2/p
		s/^(.* softirq_raise:) .*(vec|action)=(\w+)\]?$/\1 \3/p'
}

@test "flags and symbols are called as the kernel calls them" {
	record_both sched:sched_switch kmem:kmalloc irq:softirq_raise
	as_lines_have_it t | labels | by_thread >ktrace
	# ftrace has a switch to one that it looks at, too.
	sed -nE 's/^ *.*-([0-9]+) +\[0*([0-9]+)\] [^ ]+ +([0-9]+)\.([0-9]+): /\3\4 \2 \1 /p' as_formats |
		labels | by_thread | awk 'NR == FNR { ours[$3] = 1; next } $3 in ours' ktrace - >ftrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	grep -q ' sched_switch: S$' ktrace
	# Each execve asks for memory both ways.
	grep -q ' kmalloc: GFP_KERNEL$' ktrace
	grep -q ' kmalloc: GFP_KERNEL|__GFP_ZERO$' ktrace
}
