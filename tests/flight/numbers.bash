# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Numbered calls, each of which must be found exactly once. Load after flight.bash.

# Starts a flight that records numbered calls.
start_numbered() { # ARG...
	ktrace start -e "$GETPGID" -f 'pid >= 1000000000' "$@"
}

# Makes numbered calls that no other process makes, with a pause now and then.
call_numbers() { # FIRST LAST [CALLS]
	perl -e 'for ($ARGV[0] .. $ARGV[1]) {
			getpgrp(1000000000 + $_);
			select undef, undef, undef, 0.005 unless $_ % $ARGV[2];
		}' "$1" "$2" "${3:-2000}"
}

# Lists the usable CPUs.
list_cpus() {
	taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r from to; do
		seq "$from" "${to:-$from}"
	done
}

# Makes numbered calls on one CPU.
call_numbers_on() { # CPU FIRST LAST [CALLS]
	taskset -c "$1" bash -c "$(declare -f call_numbers)"'; call_numbers "$@"' - "${@:2}"
}

# Prints the numbers of the calls in text output.
print_numbers() { # [FILE...]
	perl -ne 'print "$1\n" if /: sys_enter_getpgid: .* pid=10*([1-9]\d*)$/' "$@"
}

# Prints the numbers of the calls in traces, which must contain nothing else.
print_trace_numbers() { # TRACE...
	babeltrace2 "$@" 2>complaints | perl -pe 's/.* pid = 10*([1-9]\d*) \}$/$1/'
	[ ! -s complaints ]
}

# Each number must follow the one before it, except where losses are reported. Prints the last
# number and the lost count.
check_sequence() { # FILE...
	perl -ne 'if (/\[LOST (\d+) EVENTS\]/) { $lost += $1; $all += $1; next }
		/: sys_enter_getpgid: .* pid=1(\d{9})$/ or die "$.: $_";
		die "$last, $lost lost, $1" if $1 != $last + 1 + $lost;
		$last = $1 + 0; $lost = 0;
		END { print $last // 0, " ", $all // 0, "\n" }' "$@"
}
