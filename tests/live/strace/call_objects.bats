#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# print --json: an object per system call has what the objects of its two events have.

bats_require_minimum_version 1.5.0

load ../recording

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	# Several tasks at once, with calls that wait, fail, and write structs.
	"$KTRACE" record -y -e 'syscalls:*' -o t -- sh -c '
		for i in 1 2 3; do (sleep 0.05; cat /etc/hostname /nowhere | wc -c) & done
		wait; ls -l / | head -n 1' >/dev/null 2>stderr || true
	[ -d t ] || skip "$(<stderr)"
	"$KTRACE" print --json --events t >events
	"$KTRACE" print --json t >calls
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	[ -s calls ] || skip 'nothing is recorded here'
}

# Pairs entries and returns of each task, as the trace has no losses.
pair_events() {
	jq -cs 'def name: .event | sub("^sys_(enter|exit)_"; "");
		reduce (.[] | select(.system == "syscalls")) as $e ({open: {}, calls: []};
			($e.tid | tostring) as $tid |
			if $e.event | startswith("sys_enter_") then .open[$tid] = $e
			elif .open[$tid] and (.open[$tid] | name) == ($e | name) then
				.calls += [{enter: .open[$tid], exit: $e}] | .open[$tid] = null
			else . end) | .calls[]' events
}

@test "each call once, with time, task, return value and duration" {
	pair_events | jq -c '[.enter.time, .enter.tid, .enter.cpu, .exit.fields.ret,
		.exit.time - .enter.time]' | sort >expected
	[ "$(wc -l <expected)" -gt 300 ]
	jq -c 'select(.call and .duration) | [.time, .tid, .cpu, .ret, .duration]' calls | sort | diff expected -
	# Other events are the same objects; a call without both events, and no other, has no duration.
	diff <(jq -c 'select(.system != "syscalls")' events) <(jq -c 'select(.system)' calls)
	jq -r 'select(.call and .duration == null).call' calls | sort -u >alone
	run ! grep -vxE 'exit_group|rt_sigreturn|clone|vfork|execve|wait4' alone
	run ! grep -F '"__' calls
}

@test "arguments are those of the entry, with the text that a pointer points to" {
	pair_events | jq -c 'select(.enter.event == "sys_enter_openat") | .enter.fields as $f |
		[.enter.time, $f.dfd, (.exit.fields.__filename_late // $f.__filename_val // $f.filename), $f.flags,
		(.exit.labels.ret // "" | ltrimstr("-"))]' | sort >expected
	jq -c 'select(.call == "openat" and .duration) | [.time, .args.dfd, .args.filename, .args.flags, (.error // "")]' \
		calls | sort | diff expected -
	grep -q ENOENT expected

	pair_events | jq -c 'select(.enter.event == "sys_enter_read") |
		[.enter.time, .enter.fields.fd, .enter.fields.count, .exit.fields.__buf_val, .enter.fields.__fd_val]' |
		sort >expected
	jq -c 'select(.call == "read" and .duration) | [.time, .args.fd, .args.count, .out.buf, .paths.fd]' calls |
		sort | diff expected -
	grep -q '/etc/hostname' expected
}

@test "what a call wrote, and labels" {
	pair_events | jq -c 'select(.exit.fields.__statbuf_val) | [.enter.time, .exit.fields.__statbuf_val[0]]' |
		sort >expected
	[ "$(wc -l <expected)" -gt 5 ]
	jq -c 'select(.out.statbuf) | [.time, .out.statbuf]' calls | sort | diff expected -
	pair_events | jq -c 'select(.enter.labels.flags and .enter.event == "sys_enter_openat") |
		[.enter.time, .enter.labels.flags]' | sort >expected
	jq -c 'select(.call == "openat" and .duration and .labels.flags) | [.time, .labels.flags]' calls | sort | diff expected -
}
