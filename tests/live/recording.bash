# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recording in a test, and looking at what it left.

EXIT=sched:sched_process_exit

others=() # that are to be ended after a test

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

# What another command says is looked at.
ktrace() { # ARG...
	run --separate-stderr "$KTRACE" "$@"
}

# Begin to record in the background; returns once it says that it does.
start() { # ARG...
	mkfifo said
	"${via[@]}" "$KTRACE" record "$@" >stdout 2>said 3>&- &
	pid=$!
	exec 5<said
	rm said
	while read -r line <&5; do
		echo "$line"
		case $line in
		*": recording "*) return ;;
		*"Operation not permitted"* | *"Permission denied"*) skip "$line" ;;
		esac
	done
	return 1
}

# What it says, but for what every recording ends with on kernels before 6.7, and on slow machines.
heard() {
	sed -e '/: missed events are not counted: /d' -e '/: detaching .* takes the /d'
}

# Hear what it says until it ends: $said, and $status.
finish() {
	said=$(heard <&5)
	exec 5<&-
	status=0
	wait "$pid" || status=$?
	pid=
	echo "$said"
}

# Record from beginning to end: $said, and $status.
record() { # ARG...
	status=0
	"${via[@]}" "$KTRACE" record "$@" >stdout 2>said 3>&- || status=$?
	said=$(heard <said)
	echo "$said"
}

# From here on ktrace finds an event whose format nobody can read: sched:sched_process_exec.
via_unreadable_exec() {
	echo nonsense >format
	via=(unshare -m sh -ec 'mountpoint -q /sys/kernel/tracing ||
			mount -t tracefs none /sys/kernel/tracing
		mount --bind format /sys/kernel/tracing/events/sched/sched_process_exec/format
		exec "$@"' -)
}

# Those that we may run on, one a line.
our_cpus() {
	local list range
	list=$(taskset -cp $BASHPID)
	list=${list##* }
	for range in ${list//,/ }; do
		seq "${range%-*}" "${range#*-}"
	done
}

# From here on the test and what it runs have one CPU, and so one ring.
stay_on_one_cpu() {
	taskset -cp "$(our_cpus | head -n 1)" $BASHPID
}

witness() { # TIMES
	local i
	for ((i = 0; i < $1; i++)); do
		./kt_witness
	done
}

# How many events babeltrace2 finds in a trace, without a word on stderr but what is let through.
count_events() { # DIR [COMM]
	babeltrace2 "$1" 2>stderr >events
	[ ! -s stderr ]
	grep -c "${2:-}" events || true
}

# How many the summary says.
said_events() {
	sed -n 's/^ktrace record: \([0-9]*\) events\{0,1\} in [0-9. a-z]*, .*/\1/p' <<<"$said"
}

# What print says of each event: NANOSECONDS CPU THREAD EVENT: FIELD=VALUE...
as_lines_have_it() { # DIR
	"$KTRACE" print "$1" | sed -E '
		s/^ *.{1,45}-([0-9]+) +\[0*([0-9]+)\] +([0-9]+)\.([0-9]+): (\w+): /\3\4 \2 \1 \5: /'
}

# How many hits of others it says it left out.
said_left_out() {
	sed -n 's/.*; \([0-9]*\) filtered (other processes)$/\1/p' <<<"$said"
}
