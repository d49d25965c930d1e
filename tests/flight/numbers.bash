# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Calls with numbers, of which each is to be found once, beside flight.bash.

# Begin to record them.
start_numbered() { # ARG...
	ktrace start -e "$GETPGID" -f 'pid >= 1000000000' "$@"
}

# Calls that nobody else makes, with these numbers, and a pause now and then.
call_numbers() { # FIRST LAST [CALLS]
	perl -e 'for ($ARGV[0] .. $ARGV[1]) {
			getpgrp(1000000000 + $_);
			select undef, undef, undef, 0.005 unless $_ % $ARGV[2];
		}' "$1" "$2" "${3:-2000}"
}

# The CPUs that may be used.
our_cpus() {
	taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r from to; do
		seq "$from" "${to:-$from}"
	done
}

# Such calls, all on one CPU.
numbers_on() { # CPU FIRST LAST [CALLS]
	taskset -c "$1" bash -c "$(declare -f call_numbers)"'; call_numbers "$@"' - "${@:2}"
}

# The numbers of such calls, in text.
numbers() { # [FILE...]
	perl -ne 'print "$1\n" if /: sys_enter_getpgid: .* pid=10*([1-9]\d*)$/' "$@"
}

# In a trace, one after the other those of several; there is nothing else in it.
numbers_of() { # TRACE...
	babeltrace2 "$@" 2>complaints | perl -pe 's/.* pid = 10*([1-9]\d*) \}$/$1/'
	[ ! -s complaints ]
}

# Each number is the one behind that before it, but for those that are told to be lost: the last, and
# how many.
followed() { # FILE...
	perl -ne 'if (/\[LOST (\d+) EVENTS\]/) { $lost += $1; $all += $1; next }
		/: sys_enter_getpgid: .* pid=1(\d{9})$/ or die "$.: $_";
		die "$last, $lost lost, $1" if $1 != $last + 1 + $lost;
		$last = $1 + 0; $lost = 0;
		END { print $last // 0, " ", $all // 0, "\n" }' "$@"
}
