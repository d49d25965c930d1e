#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Events with data of varying length, such as the paths executed: complete in the trace, or counted
# as lost.

bats_require_minimum_version 1.5.0

load ../recording

# Writes paths of a program with these lengths, NUL included: $paths.
make_paths() { # LENGTH...
	local name=kt_witness slashes length
	paths=()
	for length; do
		printf -v slashes "%*s" $((length - 2 - ${#name})) ""
		paths+=(".${slashes// //}$name")
	done
}

record_paths() { # ARG...
	status=0
	"$KTRACE" record "$@" -o t -- bash -c 'for path; do "$path"; done' - "${paths[@]}" \
		2>message 3>&- || status=$?
	message=$(read_messages <message)
	echo "$message"
}

# Prints the last fields of the events, without bash's own.
print_fields() { # FIELD...
	local field n=0 pattern= values=
	for field; do
		pattern+=", $field = \"([^\"]*)\""
		values+=" \\$((++n))"
	done
	sed -En "s/.*$pattern }\$/${values# }/p" events | tail -n +2
}

@test "paths of every length are recorded as executed" {
	make_paths {13..80} 512 513 1025 4095 4096
	record_paths -e sched_process_exec
	[ "$status" -eq 0 ]
	[ "$(count_events t)" -eq $((1 + ${#paths[@]})) ]
	[ "$(print_fields filename)" = "$(printf '%s\n' "${paths[@]}")" ]
}

@test "so are several in one event" {
	"$KTRACE" list sched_prepare_exec >/dev/null 2>&1 || skip "no sched_prepare_exec here"
	make_paths {13..30} 2001 4000
	record_paths -e sched_prepare_exec
	[ "$status" -eq 0 ]
	[ "$(count_events t)" -eq $((1 + ${#paths[@]})) ]
	[ "$(print_fields interp filename comm)" = "$(for path in "${paths[@]}"; do
		echo "$path $path bash"
	done)" ]
}

@test "records too large for small rings are lost and counted, the rest is complete" {
	make_paths 500 513 511 512 4096 20
	record_paths --strict -b 8K -e sched_process_exec
	[ "$status" -eq 3 ]
	[ "${message#*$'\n'}" = "$(head -n 2 message | tail -n 1)
ktrace record: lost 2 of 7: 2 too large for a record (-b) or unreadable
  sched:sched_process_exec: lost 2 of 7: 2 too large for a record (-b) or unreadable" ]
	[ "$(summary_events)" -eq 5 ]
	babeltrace2 t 2>stderr >events
	unset 'paths[1]' 'paths[4]'
	[ "$(print_fields filename)" = "$(printf '%s\n' "${paths[@]}")" ]
	[ "$(sed -n 's/.*racer discarded \([0-9]*\) event.*/\1/p' stderr |
		awk '{ n += $1 } END { print n }')" -eq 2 ]
}
