# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of functions of the kernel.

# Records a command; what it prints is in stdout.
record_command() { # OPTION... -- COMMAND...
	"$KTRACE" record -o t "$@" >stdout 2>message || {
		grep -q 'not permitted\|denied\|no kprobes' message && skip "$(<message)"
		cat message
		return 1
	}
}

count() { # EVENT
	"$KTRACE" print --json t | jq -s --arg e "$1" 'map(select(.event == $e)) | length'
}

# Prints how many hits were recorded or, as the message says, lost: where the kernel preempts itself,
# it may miss hits of other tasks on that CPU meanwhile.
count_hits() { # EVENT
	local lost
	lost=$(sed -n 's/^ktrace record: lost \([0-9]*\) of .*/\1/p' message)
	echo $(($(count "$1") + ${lost:-0}))
}
