#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The same events in a trace and in an ftrace instance: compared event by event and field by field,
# as the kernel prints them.

bats_require_minimum_version 1.5.0

load ../recording
load ../tasks

EVENTS=(
	raw_syscalls:sys_enter raw_syscalls:sys_exit
	sched:sched_process_exec sched:sched_process_exit
	sched:sched_process_fork sched:sched_process_wait
	signal:signal_deliver signal:signal_generate
	task:task_newtask task:task_rename
)

# The recorded work: paths, children, failing calls, signals, a timer, and pages of a file.
run_work() {
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

# Runs the work with ftrace switched by an unrecorded process, whose PID is in ./outside. Ended
# tasks get time to leave their CPU.
run_work_in_ftrace() { # INSTANCE
	echo $$ >outside
	echo 1 >"$1/tracing_on"
	(run_work)
	sleep 0.05
	echo 0 >"$1/tracing_on"
}

# Records the work with both: writes t, ktrace's messages, and ftrace's text of the whole machine
# (its set_event_pid would lose what an ending task does after it has slept). -a records the whole
# machine with ktrace, too.
record_beside_ftrace() { # [-a] EVENT...
	local event instance=tracefs/instances/kt_test_$$ args=()
	mount -t tracefs nodev tracefs
	mkdir "$instance"
	# shellcheck disable=SC2064 # it is local
	trap "rmdir $instance" EXIT
	echo 0 >"$instance/tracing_on"
	echo 16384 >"$instance/buffer_size_kb"
	echo mono >"$instance/trace_clock"
	[ ! -e "$instance/options/hash-ptr" ] || echo 0 >"$instance/options/hash-ptr"
	for event; do
		[ "$event" != -a ] || { args+=(-a); continue; }
		echo 1 >"$instance/events/${event/://}/enable"
		args+=(-e "$event")
	done
	"$KTRACE" record "${args[@]}" -o t -- bash -c "$(declare -f run_work run_work_in_ftrace)
		run_work_in_ftrace $instance" 2>message
	cat "$instance"/per_cpu/cpu*/stats >stats
	cat "$instance/trace" >trace
}

# Prints ftrace's events in the form of print_with_ktrace, in microseconds.
print_with_ftrace() {
	sed -nE 's/^ *.*-([0-9]+) +\[0*([0-9]+)\] [^ ]+ +([0-9]+)\.([0-9]+): /\3\4 \2 \1 /p' trace
}

# Removes the fields that only ktrace has.
remove_extra_fields() {
	sed -E 's/^(.* (signal_deliver|sched_process_exit|sys_enter|sys_exit): .*) (si_pid|exit_code|call)=.*/\1/'
}

# Sorts by thread. By time alone, an interrupt's events may come before the interrupted one in one
# trace and after it in the other.
sort_by_thread() {
	sort -s -k 3,3n -k 4,4
}

# The same, if an interrupt may have events of the interrupted event: sorted by text within a
# thread.
sort_by_text() {
	sort -s -k 3,3n -k 4
}

# Selects lines in which one of these words is followed by a PID in ./family.
select_family() { # WORD...
	awk -v words="$*" 'NR == FNR { ours[$1] = 1; next }
		{ n = split(words, at); for (i = 1; i <= n; i++) if ($at[i] in ours) { print; next } }
		' family -
}

skip_without_ftrace() {
	skip_in_a_container
	unshare -m sh -c 'mount -t tracefs nodev tracefs && ls tracefs/instances' \
		2>why >/dev/null || skip "ftrace cannot be asked: $(<why)"
}

# Records with both, and writes the PIDs of the working tasks to ./family, by ftrace's fork events.
# Repeats if an event was in an interrupt during a program: only ftrace has that one.
# Returns whether ftrace has lost events, as on a machine that others keep busy.
has_overrun() {
	grep -qE '(overrun|dropped events): [^0]' stats
}

record_with_both() { # [-a] EVENT...
	mkdir tracefs
	skip_without_ftrace
	for _ in 1 2 3; do
		status=0
		unshare -m bash -ec "$(declare -f run_work run_work_in_ftrace record_beside_ftrace)
			record_beside_ftrace sched:sched_process_fork $*" 3>&- || status=$?
		message=$(<message)
		echo "$message"
		[[ $message == *" missed (recursion)"* ]] || has_overrun || break
	done
	[[ $message != *"Operation not permitted"* && $message != *"Permission denied"* ]] || skip "$message"
	[ "$status" -eq 0 ]
	[[ $message != *lost* ]]
	if has_overrun; then false; fi
	sed -nE 's/^.* sched_process_fork: .* pid=([0-9]+) .* child_pid=([0-9]+).*$/\1 \2/p' trace |
		awk -v outside="$(<outside)" '$1 == outside && !found++ || $1 in ours {
			ours[$2] = 1; print $2 }' >family
	[ "$(wc -l <family)" -ge 8 ]
}

@test "ten events match an ftrace instance in every event and value" {
	record_with_both "${EVENTS[@]}"
	print_with_ftrace | select_family 3 | sort_by_thread >ftrace
	print_with_ktrace t | remove_extra_fields | select_family 3 | sort_by_thread >ktrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	for event in "${EVENTS[@]}"; do
		grep -q " ${event#*:}: " ktrace
	done
	[ "$(grep -c 'sched_process_exec: filename=./kt_witness ' ktrace)" -eq 6 ]
	grep -q ' sys_exit: .* = -[0-9]' ktrace

	# ftrace's time must lie between the times of the events before and after.
	paste -d' ' <(cut -d' ' -f 1,3,4 ftrace) <(cut -d' ' -f 1 ktrace) | awk '
		$2 $3 == which && ($4 / 1000 < ftrace - 1 || ktrace / 1000 > $1 + 1) { print; bad = 1 }
		{ ftrace = $1; which = $2 $3; ktrace = $4 }
		END { exit bad }'
}

# Values that may differ between the two reads: an ended task (Z) is reaped (X), a tick passes.
remove_races() {
	sed -E 's/^(.* sched_switch: .* prev_state=)X /\1Z /
		s/^(.* timer_expire_entry: .*) now=[0-9]+ /\1 /'
}

# Both have the same lines of the family except for times, whatever interrupts came between.
assert_same_lines() {
	print_with_ktrace t | remove_extra_fields | remove_races | select_family 3 | sort_by_text >ktrace
	print_with_ftrace | remove_races | select_family 3 | sort_by_text >ftrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
}

@test "flags and symbols have the kernel's names" {
	record_with_both sched:sched_switch kmem:kmalloc irq:softirq_raise
	assert_same_lines
	grep -q ' sched_switch: .* prev_state=S ==> ' ktrace
	# Each execve allocates memory both ways.
	grep -q ' kmalloc: .* gfp_flags=GFP_KERNEL node=' ktrace
	grep -q ' kmalloc: .* gfp_flags=GFP_KERNEL|__GFP_ZERO node=' ktrace
}

@test "kernel addresses have the kernel's symbols" {
	record_with_both kmem:kmalloc kmem:kfree timer:hrtimer_start
	assert_same_lines
	# Within a function, and at its start.
	[ "$(grep -cE ' (kmalloc|kfree): .*call_site=[^ ]+\+0x[1-9a-f][0-9a-f]*/0x[0-9a-f]+ ' ktrace)" -ge 100 ]
	grep -qE ' hrtimer_start: .* function=\w+ ' ktrace
}

@test "numbers and addresses are formatted as by the kernel" {
	record_with_both raw_syscalls:sys_enter signal:signal_deliver task:task_newtask \
		sock:inet_sock_set_state filemap:mm_filemap_add_to_page_cache
	[[ $message != *unreachable* ]] || skip "$message"
	assert_same_lines
	grep -q ' inet_sock_set_state: .* saddr=127.0.0.1 daddr=127.0.0.1 saddrv6=::ffff:127.0.0.1 ' ktrace
	grep -q ' inet_sock_set_state: .* saddr=0.0.0.0 daddr=0.0.0.0 saddrv6=::1 daddrv6=::1 ' ktrace
	for event in sys_enter signal_deliver task_newtask; do
		grep -q " $event: " ktrace
	done
	# There are no events for pages of tmpfs.
	[ "$(stat -f -c %T .)" = tmpfs ] || grep -q ' mm_filemap_add_to_page_cache: dev [0-9]*:[0-9]* ' ktrace
}

# Creates a control group with little memory, its directory in $group, if possible.
make_small_group() {
	group=$(mktemp -d /sys/fs/cgroup/memory/kt_test_XXXXXX) || return 0
	echo 16M >"$group/memory.limit_in_bytes"
}

remove_small_group() {
	[ -z "$group" ] || rmdir "$group"
}

# Work with all default events: besides the above, blocks read and written, a refused connection, a
# connection with a dropped and resent packet, and memory pressure.
run_all_work() {
	local drop='use Socket;
		socket($l, PF_INET, SOCK_STREAM, 0);
		bind($l, sockaddr_in(0, INADDR_LOOPBACK));
		setsockopt($l, SOL_SOCKET, 26, pack("S x6 P", 1, pack("S C C L", 6, 0, 0, 0)));
		listen($l, 1);
		socket($c, PF_INET, SOCK_STREAM, 0);
		alarm 2;
		connect($c, getsockname($l))'
	for _ in 1 2 3 4 5; do
		./kt_witness ./nowhere
	done
	cat ./nowhere | ./kt_witness
	trap : USR1
	kill -USR1 "$BASHPID"
	(: </dev/tcp/127.0.0.1/1)
	dd if=/dev/zero of=written bs=64K count=8 conv=fsync
	dd if=written of=/dev/null bs=64K iflag=direct
	perl -e "$drop"
	[ -z "$group" ] || (echo "$BASHPID" >"$group/tasks" && exec tail /dev/zero)
}

@test "every default event is printed as an ftrace instance prints it" {
	local events rare
	# System calls are printed as strace prints them.
	mapfile -t events < <("$KTRACE" list -d | grep -v ^syscalls:)
	events+=(raw_syscalls:sys_enter raw_syscalls:sys_exit)
	make_small_group
	export group
	eval "run_work() $(declare -f run_all_work | tail -n +2)"
	record_with_both -a "${events[@]}" || status=1
	remove_small_group
	[ "$status" -eq 0 ]
	print_with_ktrace t | remove_extra_fields | remove_races | remove_process_1 | cut -d' ' -f 2- | sort >ktrace
	print_with_ftrace | remove_races | remove_process_1 | cut -d' ' -f 2- | sort >ftrace
	comm -23 ftrace ktrace >missing
	head missing
	[ ! -s missing ]
	# Some may not occur: another disk, one CPU, no control group, or failing hardware.
	rare="block_.*|irq_handler_.*|sched_migrate_task|net_dev_xmit_timeout"
	[ -n "$group" ] || rare+="|mark_victim"
	printf '%s\n' "${events[@]#*:}" | grep -vxE "$rare" | sort >expected
	cut -d' ' -f 3 ftrace | tr -d : | sort -u >found
	[ -z "$(comm -23 expected found)" ]
}

# From both: who is switched to and who is woken. Not switches from the idle task: on some CPUs here
# neither ftrace nor perf see these (Linux 6.18).
list_targets() {
	sed -nE 's/^(\S+ .* sched_(switch|wak\w+):) .*\b(next_)?pid=([0-9]+) .*$/\1 \4/p' |
		grep -v ' 0 sched_switch: '
}

# Removes process 1's threads: one kernel under test (6.18) reports none of them to programs, and
# not all to ftrace.
remove_process_1() {
	awk 'NR == FNR { hidden[$1] = 1; next } !($3 in hidden)' <(ls /proc/1/task) -
}

@test "sched_switch to and wakeups of followed tasks, as in ftrace" {
	record_with_both sched:sched_{switch,waking,wakeup,wakeup_new}
	print_with_ktrace t | list_targets | select_family 3 5 | remove_process_1 | cut -d' ' -f 2- | sort >ktrace
	print_with_ftrace | list_targets | select_family 3 5 | remove_process_1 | cut -d' ' -f 2- | sort >ftrace
	diff ftrace ktrace
	[ "$(grep -c ' sched_wakeup_new: ' ktrace)" -ge 8 ]

	# Switches from the idle task, too: each task gets a CPU as often as it leaves one, except
	# from process 1, which ftrace does not see either.
	print_with_ktrace t >lines
	sed -nE 's/^.* sched_switch: .* next_pid=([0-9]+) .*$/0 0 \1/p' lines | select_family 3 | sort >gets
	sed -nE 's/^.* sched_switch: .* prev_pid=([0-9]+) .*$/0 0 \1/p' lines | select_family 3 | sort >leaves
	print_with_ftrace | remove_process_1 |
		sed -nE 's/^.* sched_switch: .* next_pid=([0-9]+) .*$/0 0 \1/p' | select_family 3 | sort >known
	[ -z "$(comm -23 gets leaves)" ]
	[ -z "$(comm -23 known gets)" ]
	[ "$(comm -13 gets leaves | wc -l)" -le 2 ]
	[ "$(sort -u gets leaves | wc -l)" -eq "$(wc -l <family)" ]
}
