# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers that record, and read the trace.

EXIT=sched:sched_process_exit

others=() # processes to kill after a test

setup() {
	cd "$BATS_TEST_TMPDIR"
	unshare -m true 2>why || skip "$(<why)"
	cp "$(type -P true)" kt_witness
}

teardown() {
	for pid in ${pid:-} "${others[@]}"; do
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
}

# Runs ktrace with its messages checked.
ktrace() { # ARG...
	run --separate-stderr "$KTRACE" "$@"
}

# Starts recording in the background; returns once ktrace says so.
start() { # ARG...
	start_command record "$@"
}

start_command() { # record|trace ARG...
	mkfifo message
	"${via[@]}" "$KTRACE" "$@" >stdout 2>message 3>&- &
	pid=$!
	exec 5<message
	rm message
	while read -r line <&5; do
		echo "$line"
		case $line in
		*": recording "* | *": Ctrl-C ends it") return ;;
		*"Operation not permitted"* | *"Permission denied"*) skip "$line" ;;
		esac
	done
	return 1
}

# Prints ktrace's messages, without the ones that every recording ends with on kernels before 6.7
# and on slow machines.
read_messages() {
	sed -e '/: missed events are not counted: /d' -e '/: detaching .* takes the /d'
}

# Waits until ktrace ends. Sets $message and $status.
finish() {
	message=$(read_messages <&5)
	exec 5<&-
	status=0
	wait "$pid" || status=$?
	pid=
	echo "$message"
}

# Records from start to end. Sets $message and $status.
record() { # ARG...
	status=0
	"${via[@]}" "$KTRACE" record "$@" >stdout 2>message 3>&- || status=$?
	message=$(read_messages <message)
	echo "$message"
}

# From here on the format of sched:sched_process_exec is unreadable for ktrace.
hide_exec_format() {
	echo nonsense >format
	via=(unshare -m sh -ec 'mountpoint -q /sys/kernel/tracing ||
			mount -t tracefs none /sys/kernel/tracing
		mount --bind format /sys/kernel/tracing/events/sched/sched_process_exec/format
		exec "$@"' -)
}

# Lists the usable CPUs.
list_cpus() {
	local list range
	list=$(taskset -cp $BASHPID)
	list=${list##* }
	for range in ${list//,/ }; do
		seq "${range%-*}" "${range#*-}"
	done
}

# From here on the test and its commands have one CPU, and so one ring.
use_one_cpu() {
	taskset -cp "$(list_cpus | head -n 1)" $BASHPID
}

run_witness() { # TIMES
	local i
	for ((i = 0; i < $1; i++)); do
		./kt_witness
	done
}

# Counts the events that babeltrace2 reads from a trace; other messages on stderr than the known
# ones fail.
count_events() { # DIR [COMM]
	babeltrace2 "$1" 2>stderr >events
	[ ! -s stderr ]
	grep -c "${2:-}" events || true
}

# Prints the number of events in the summary.
summary_events() {
	sed -n 's/^ktrace record: \([0-9]*\) events\{0,1\} in [0-9. a-z]*, .*/\1/p' <<<"$message"
}

# Prints each event as print does: NANOSECONDS CPU THREAD EVENT: FIELD=VALUE...
print_with_ktrace() { # DIR
	"$KTRACE" print "$1" | sed -E '
		s/^ *.{1,45}-([0-9]+) +\[0*([0-9]+)\] +([0-9]+)\.([0-9]+): (\w+): /\3\4 \2 \1 \5: /'
}

# Prints the number of filtered events in the summary.
summary_filtered() {
	sed -n 's/.*; \([0-9]*\) filtered (other processes)$/\1/p' <<<"$message"
}
