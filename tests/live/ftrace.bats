#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The same hits in a trace and in an instance of ftrace that was made for this: event by event and
# field by field, as the kernel prints them.

bats_require_minimum_version 1.5.0

load recording
load tasks

EVENTS=(
	raw_syscalls:sys_enter raw_syscalls:sys_exit
	sched:sched_process_exec sched:sched_process_exit
	sched:sched_process_fork sched:sched_process_wait
	signal:signal_deliver signal:signal_generate
	task:task_newtask task:task_rename
)

# What is recorded: paths, children, failing calls and signals, a timer, and pages of a file.
work() {
	for _ in 1 2 3 4 5; do
		./kt_witness ./nowhere
	done
	cat ./nowhere | ./kt_witness
	echo anew >anew
	trap : USR1
	kill -USR1 "$BASHPID"
	(kill -TERM "$BASHPID")
	(: </dev/tcp/127.0.0.1/1)
	(: </dev/tcp/::1/1)
	sleep 0.01
}

# ftrace is turned on and off by a process that is not looked at; its number is in ./outside. What
# has ended is given the time to leave its CPU.
work_in_ftrace() { # INSTANCE
	echo $$ >outside
	echo 1 >"$1/tracing_on"
	(work)
	sleep 0.05
	echo 0 >"$1/tracing_on"
}

# Record work with both, and leave t, what ktrace said, and what ftrace has of the whole machine in
# its two ways of printing it, as_fields and as_formats. Its set_event_pid would forget of a task
# that ends what it does after it has slept on the way.
record_beside_ftrace() { # EVENT...
	local event instance=tracefs/instances/kt_test_$$ args=()
	mount -t tracefs nodev tracefs
	mkdir "$instance"
	# shellcheck disable=SC2064 # it is local
	trap "rmdir $instance" EXIT
	echo 0 >"$instance/tracing_on"
	echo 16384 >"$instance/buffer_size_kb"
	echo mono >"$instance/trace_clock"
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

# Without the fields that no record of the kernel's has.
without_extra() {
	sed -E 's/^(.* (signal_deliver|sched_process_exit): .*) (si_pid|exit_code)=.*/\1/'
}

# What happened in each thread, event by event. In the order of time alone an interrupt's hits may
# come before the one that it interrupts in one record, and behind it in the other.
by_thread() {
	sort -s -k 3,3n -k 4,4
}

# The same, where an interrupt may have hits of the very event that it interrupts: of each thread in
# the order of what they say.
by_what_is_said() {
	sort -s -k 3,3n -k 4
}

# Lines in which one of these words is the number of somebody in ./family.
of_family() { # WORD...
	awk -v words="$*" 'NR == FNR { ours[$1] = 1; next }
		{ n = split(words, at); for (i = 1; i <= n; i++) if ($at[i] in ours) { print; next } }
		' family -
}

skip_without_ftrace() {
	skip_in_a_container
	unshare -m sh -c 'mount -t tracefs nodev tracefs && ls tracefs/instances tracefs/options/fields' \
		2>why >/dev/null || skip "ftrace cannot be asked: $(<why)"
}

# Both at work: what it leaves see record_beside_ftrace, and in ./family the numbers of those who
# work, by ftrace's forks. Anew where a hit was in an interrupt that came while a program ran: that
# one ftrace has alone.
record_both() { # EVENT...
	mkdir tracefs
	skip_without_ftrace
	for _ in 1 2 3; do
		status=0
		unshare -m bash -ec "$(declare -f work work_in_ftrace record_beside_ftrace)
			record_beside_ftrace sched:sched_process_fork $*" 3>&- || status=$?
		said=$(<said)
		echo "$said"
		[[ $said == *" kept back by the kernel"* ]] || break
	done
	[[ $said != *"Operation not permitted"* && $said != *"Permission denied"* ]] || skip "$said"
	[ "$status" -eq 0 ]
	[[ $said != *lost* ]]
	[ -z "$(grep -E '(overrun|dropped events): [^0]' stats)" ]
	sed -nE 's/^.* sched_process_fork: .* pid=([0-9]+) .* child_pid=([0-9]+).*$/\1 \2/p' as_formats |
		awk -v outside="$(<outside)" '$1 == outside && !found++ || $1 in ours {
			ours[$2] = 1; print $2 }' >family
	[ "$(wc -l <family)" -ge 8 ]
}

@test "every hit and every value of ten events as an instance of ftrace has them" {
	record_both "${EVENTS[@]}"
	as_ftrace_has_it | of_family 3 | by_thread >ftrace
	as_lines_have_it t | without_extra | with_formatted_calls | in_decimal | of_family 3 | by_thread >ktrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	for event in "${EVENTS[@]}"; do
		grep -q " ${event#*:}: " ktrace
	done
	[ "$(grep -c 'sched_process_exec: filename=./kt_witness ' ktrace)" -eq 6 ]
	grep -q ' sys_exit: .* ret=-[0-9]' ktrace

	# Each at the time at which ftrace has it: after the one before, and before the one after.
	paste -d' ' <(cut -d' ' -f 1,3,4 ftrace) <(cut -d' ' -f 1 ktrace) | awk '
		$2 $3 == which && ($4 / 1000 < ftrace - 1 || ktrace / 1000 > $1 + 1) { print; bad = 1 }
		{ ftrace = $1; which = $2 $3; ktrace = $4 }
		END { exit bad }'
}

# ftrace's events in its own words: MICROSECONDS CPU THREAD EVENT: ...
as_ftrace_words_it() {
	sed -nE 's/^ *.*-([0-9]+) +\[0*([0-9]+)\] [^ ]+ +([0-9]+)\.([0-9]+): /\3\4 \2 \1 /p' as_formats
}

# Of lines as as_lines_have_it has them, and of ftrace's own: how the value of one field is called.
# A task that has ended (Z) may be waited for (X) between the one's look and the other's.
labels() {
	sed -nE '
		s/^(.* sched_switch:) .* prev_state=(\S+) .*$/\1 \2/p
		s/^(.* kmalloc:) .* gfp_flags=(\S+) .*$/\1 \2/p
		s/^(.* softirq_raise:) .*(vec|action)=(\w+)\]?$/\1 \3/p' | sed 's/ sched_switch: X$/ sched_switch: Z/'
}

@test "flags and symbols are called as the kernel calls them" {
	record_both sched:sched_switch kmem:kmalloc irq:softirq_raise
	as_lines_have_it t | labels | of_family 3 | by_what_is_said >ktrace
	as_ftrace_words_it | labels | of_family 3 | by_what_is_said >ftrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	grep -q ' sched_switch: S$' ktrace
	# Each execve asks for memory both ways.
	grep -q ' kmalloc: GFP_KERNEL$' ktrace
	grep -q ' kmalloc: GFP_KERNEL|__GFP_ZERO$' ktrace
}

# Of both: what is called at an address in the kernel, without its size, and where it is at its
# beginning without +0x0.
symbols() {
	sed -nE '
		s/^(.* (kmalloc|kfree):) .*call_site=(.*) ptr=.*$/\1 \3/
		s/^(.* hrtimer_start:) .*function=(.*) expires=.*$/\1 \2/
		t named
		d
		: named
		s,(\+0x[0-9a-f]+)/0x[0-9a-f]+,\1,
		s/\+0x0( |$)/\1/
		p'
}

@test "addresses in the kernel are called as the kernel calls them" {
	record_both kmem:kmalloc kmem:kfree timer:hrtimer_start
	as_lines_have_it t | symbols | of_family 3 | by_what_is_said >ktrace
	as_ftrace_words_it | symbols | of_family 3 | by_what_is_said >ftrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	# Somewhere within, and at the beginning.
	[ "$(grep -cE ' (kmalloc|kfree): [^ ]+\+0x[1-9a-f][0-9a-f]*( \[\w+\])?$' ktrace)" -ge 100 ]
	grep -qE ' hrtimer_start: \w+$' ktrace
}

# Of both: what ktrace shows as 0x1200000 or by the field's own name, and the kernel as 1200000 or by
# another one.
notations() {
	sed -nE '
		s/^(.* signal_deliver:) .*\b(sa_handler|sa)=(\S+) (sa_)?flags=(\S+)( si_pid=.*)?$/\1 \3 \5/p
		s/^(.* task_newtask:) .*\bclone_flags=(\S+) .*$/\1 \2/p
		s/^(.* sys_enter:) NR ([0-9]+) \((.*)\)$/\1 \2 \3/p
		s/^(.* sys_enter:) .*id=([0-9]+) args=\{(.*)\}$/\1 \2 \3/p
		s/^(.* mm_filemap_add_to_page_cache:) .*\bs_dev=([0-9]+,[0-9]+) .*$/\1 \2/p
		s/^(.* mm_filemap_add_to_page_cache:) dev ([0-9]+):([0-9]+) .*$/\1 \2,\3/p
		s/^(.* inet_sock_set_state:) .*\b(saddr=.*)$/\1 \2/p' |
		sed -E 's/ (old|new)state=\w+//g; s/addr_v6=/addrv6=/g; s/, ?/,/g; s/\b0x//g'
}

@test "numbers and addresses are written as the kernel writes them" {
	record_both raw_syscalls:sys_enter signal:signal_deliver task:task_newtask \
		sock:inet_sock_set_state filemap:mm_filemap_add_to_page_cache
	[[ $said != *unreachable* ]] || skip "$said"
	as_lines_have_it t | notations | of_family 3 | by_thread >ktrace
	as_ftrace_words_it | notations | of_family 3 | by_thread >ftrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	grep -q ' inet_sock_set_state: saddr=127.0.0.1 daddr=127.0.0.1 saddrv6=::ffff:127.0.0.1 ' ktrace
	grep -q ' inet_sock_set_state: saddr=0.0.0.0 daddr=0.0.0.0 saddrv6=::1 daddrv6=::1' ktrace
	for event in sys_enter signal_deliver task_newtask; do
		grep -q " $event: " ktrace
	done
	# Of pages of tmpfs it tells nothing.
	[ "$(stat -f -c %T .)" = tmpfs ] || grep -q ' mm_filemap_add_to_page_cache: [0-9]*,[0-9]*$' ktrace
}

# Of both: who is switched to, and who is woken. No switch from the idle task: on some CPUs here
# neither ftrace nor perf see those (Linux 6.18).
targets() {
	sed -nE 's/^(\S+ .* sched_(switch|wak\w+):) .*\b(next_)?pid=([0-9]+) .*$/\1 \4/p' |
		grep -v ' 0 sched_switch: '
}

# Without what threads of process 1 do: of it one kernel on which we test (6.18) tells programs
# nothing, and ftrace not all.
but_process_1() {
	awk 'NR == FNR { hidden[$1] = 1; next } !($3 in hidden)' <(ls /proc/1/task) -
}

@test "when a task that is looked at gets a CPU, and who wakes it, as ftrace has it" {
	record_both sched:sched_{switch,waking,wakeup,wakeup_new}
	as_lines_have_it t | targets | of_family 3 5 | but_process_1 | cut -d' ' -f 2- | sort >ktrace
	as_ftrace_words_it | targets | of_family 3 5 | but_process_1 | cut -d' ' -f 2- | sort >ftrace
	diff ftrace ktrace
	[ "$(grep -c ' sched_wakeup_new: ' ktrace)" -ge 8 ]

	# From the idle task as well: each of them gets a CPU as often as it leaves one, but for the few
	# times that it gets it from process 1, and then ftrace does not know either.
	as_lines_have_it t >lines
	sed -nE 's/^.* sched_switch: .* next_pid=([0-9]+) .*$/0 0 \1/p' lines | of_family 3 | sort >gets
	sed -nE 's/^.* sched_switch: .* prev_pid=([0-9]+) .*$/0 0 \1/p' lines | of_family 3 | sort >leaves
	as_ftrace_words_it | but_process_1 |
		sed -nE 's/^.* sched_switch: .* next_pid=([0-9]+) .*$/0 0 \1/p' | of_family 3 | sort >known
	[ -z "$(comm -23 gets leaves)" ]
	[ -z "$(comm -23 known gets)" ]
	[ "$(comm -13 gets leaves | wc -l)" -le 2 ]
	[ "$(sort -u gets leaves | wc -l)" -eq "$(wc -l <family)" ]
}
