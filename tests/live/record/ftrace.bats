#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The same hits in a trace and in an instance of ftrace that was made for this: event by event and
# field by field, as the kernel prints them.

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

# Record work with both, and leave t, what ktrace said, and what ftrace has of the whole machine. Its
# set_event_pid would forget of a task that ends what it does after it has slept on the way. -a
# records the whole machine with ktrace, too.
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
	"$KTRACE" record "${args[@]}" -o t -- bash -c "$(declare -f work work_in_ftrace)
		work_in_ftrace $instance" 2>said
	cat "$instance"/per_cpu/cpu*/stats >stats
	cat "$instance/trace" >trace
}

# Its events in the form of as_lines_have_it, with microseconds.
as_ftrace_has_it() {
	sed -nE 's/^ *.*-([0-9]+) +\[0*([0-9]+)\] [^ ]+ +([0-9]+)\.([0-9]+): /\3\4 \2 \1 /p' trace
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
	unshare -m sh -c 'mount -t tracefs nodev tracefs && ls tracefs/instances' \
		2>why >/dev/null || skip "ftrace cannot be asked: $(<why)"
}

# Both at work: what it leaves see record_beside_ftrace, and in ./family the numbers of those who
# work, by ftrace's forks. Anew where a hit was in an interrupt that came while a program ran: that
# one ftrace has alone.
record_both() { # [-a] EVENT...
	mkdir tracefs
	skip_without_ftrace
	for _ in 1 2 3; do
		status=0
		unshare -m bash -ec "$(declare -f work work_in_ftrace record_beside_ftrace)
			record_beside_ftrace sched:sched_process_fork $*" 3>&- || status=$?
		said=$(<said)
		echo "$said"
		[[ $said == *" missed (recursion)"* ]] || break
	done
	[[ $said != *"Operation not permitted"* && $said != *"Permission denied"* ]] || skip "$said"
	[ "$status" -eq 0 ]
	[[ $said != *lost* ]]
	[ -z "$(grep -E '(overrun|dropped events): [^0]' stats)" ]
	sed -nE 's/^.* sched_process_fork: .* pid=([0-9]+) .* child_pid=([0-9]+).*$/\1 \2/p' trace |
		awk -v outside="$(<outside)" '$1 == outside && !found++ || $1 in ours {
			ours[$2] = 1; print $2 }' >family
	[ "$(wc -l <family)" -ge 8 ]
}

@test "every hit and every value of ten events as an instance of ftrace has them" {
	record_both "${EVENTS[@]}"
	as_ftrace_has_it | of_family 3 | by_thread >ftrace
	as_lines_have_it t | without_extra | of_family 3 | by_thread >ktrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
	for event in "${EVENTS[@]}"; do
		grep -q " ${event#*:}: " ktrace
	done
	[ "$(grep -c 'sched_process_exec: filename=./kt_witness ' ktrace)" -eq 6 ]
	grep -q ' sys_exit: .* = -[0-9]' ktrace

	# Each at the time at which ftrace has it: after the one before, and before the one after.
	paste -d' ' <(cut -d' ' -f 1,3,4 ftrace) <(cut -d' ' -f 1 ktrace) | awk '
		$2 $3 == which && ($4 / 1000 < ftrace - 1 || ktrace / 1000 > $1 + 1) { print; bad = 1 }
		{ ftrace = $1; which = $2 $3; ktrace = $4 }
		END { exit bad }'
}

# What may change between the one's look and the other's: a task that has ended (Z) is waited for (X),
# and a tick passes.
without_races() {
	sed -E 's/^(.* sched_switch: .* prev_state=)X /\1Z /
		s/^(.* timer_expire_entry: .*) now=[0-9]+ /\1 /'
}

# Both have the same lines of the family, but for the time, whatever an interrupt came between.
assert_same_lines() {
	as_lines_have_it t | without_extra | without_races | of_family 3 | by_what_is_said >ktrace
	as_ftrace_has_it | without_races | of_family 3 | by_what_is_said >ftrace
	diff <(cut -d' ' -f 2- ftrace) <(cut -d' ' -f 2- ktrace)
}

@test "flags and symbols are called as the kernel calls them" {
	record_both sched:sched_switch kmem:kmalloc irq:softirq_raise
	assert_same_lines
	grep -q ' sched_switch: .* prev_state=S ==> ' ktrace
	# Each execve asks for memory both ways.
	grep -q ' kmalloc: .* gfp_flags=GFP_KERNEL node=' ktrace
	grep -q ' kmalloc: .* gfp_flags=GFP_KERNEL|__GFP_ZERO node=' ktrace
}

@test "addresses in the kernel are called as the kernel calls them" {
	record_both kmem:kmalloc kmem:kfree timer:hrtimer_start
	assert_same_lines
	# Somewhere within, and at the beginning.
	[ "$(grep -cE ' (kmalloc|kfree): .*call_site=[^ ]+\+0x[1-9a-f][0-9a-f]*/0x[0-9a-f]+ ' ktrace)" -ge 100 ]
	grep -qE ' hrtimer_start: .* function=\w+ ' ktrace
}

@test "numbers and addresses are written as the kernel writes them" {
	record_both raw_syscalls:sys_enter signal:signal_deliver task:task_newtask \
		sock:inet_sock_set_state filemap:mm_filemap_add_to_page_cache
	[[ $said != *unreachable* ]] || skip "$said"
	assert_same_lines
	grep -q ' inet_sock_set_state: .* saddr=127.0.0.1 daddr=127.0.0.1 saddrv6=::ffff:127.0.0.1 ' ktrace
	grep -q ' inet_sock_set_state: .* saddr=0.0.0.0 daddr=0.0.0.0 saddrv6=::1 daddrv6=::1 ' ktrace
	for event in sys_enter signal_deliver task_newtask; do
		grep -q " $event: " ktrace
	done
	# Of pages of tmpfs it tells nothing.
	[ "$(stat -f -c %T .)" = tmpfs ] || grep -q ' mm_filemap_add_to_page_cache: dev [0-9]*:[0-9]* ' ktrace
}

# A group of processes that has little memory: its directory in $group, if there can be one.
make_small_group() {
	group=$(mktemp -d /sys/fs/cgroup/memory/kt_test_XXXXXX) || return 0
	echo 16M >"$group/memory.limit_in_bytes"
}

remove_small_group() {
	[ -z "$group" ] || rmdir "$group"
}

# What the default set has events of: besides the others, blocks that are read and written, a
# connection that is refused and one whose first packet is dropped and sent again, and too little
# memory.
work_of_all_kinds() {
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

@test "every event of the default set is printed as an instance of ftrace prints it" {
	local events rare
	mapfile -t events < <("$KTRACE" list -d)
	make_small_group
	export group
	eval "work() $(declare -f work_of_all_kinds | tail -n +2)"
	record_both -a "${events[@]}" || status=1
	remove_small_group
	[ "$status" -eq 0 ]
	as_lines_have_it t | without_extra | without_races | but_process_1 | cut -d' ' -f 2- | sort >ktrace
	as_ftrace_has_it | without_races | but_process_1 | cut -d' ' -f 2- | sort >ftrace
	comm -23 ftrace ktrace >missing
	head missing
	[ ! -s missing ]
	# Of some there need be none: another disk, one CPU, no group; or it takes hardware that fails.
	rare="block_.*|irq_handler_.*|sched_migrate_task|net_dev_xmit_timeout"
	[ -n "$group" ] || rare+="|mark_victim"
	printf '%s\n' "${events[@]#*:}" | grep -vxE "$rare" | sort >expected
	cut -d' ' -f 3 ftrace | tr -d : | sort -u >found
	[ -z "$(comm -23 expected found)" ]
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
	as_ftrace_has_it | targets | of_family 3 5 | but_process_1 | cut -d' ' -f 2- | sort >ftrace
	diff ftrace ktrace
	[ "$(grep -c ' sched_wakeup_new: ' ktrace)" -ge 8 ]

	# From the idle task as well: each of them gets a CPU as often as it leaves one, but for the few
	# times that it gets it from process 1, and then ftrace does not know either.
	as_lines_have_it t >lines
	sed -nE 's/^.* sched_switch: .* next_pid=([0-9]+) .*$/0 0 \1/p' lines | of_family 3 | sort >gets
	sed -nE 's/^.* sched_switch: .* prev_pid=([0-9]+) .*$/0 0 \1/p' lines | of_family 3 | sort >leaves
	as_ftrace_has_it | but_process_1 |
		sed -nE 's/^.* sched_switch: .* next_pid=([0-9]+) .*$/0 0 \1/p' | of_family 3 | sort >known
	[ -z "$(comm -23 gets leaves)" ]
	[ -z "$(comm -23 known gets)" ]
	[ "$(comm -13 gets leaves | wc -l)" -le 2 ]
	[ "$(sort -u gets leaves | wc -l)" -eq "$(wc -l <family)" ]
}
