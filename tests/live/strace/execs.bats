#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of exec that return with another number, or in a thread with another number. strace traces
# the same programs.

bats_require_minimum_version 1.5.0

load ../recording
load lines

EXECS=$TRACED/execs

# Removes thread numbers and the address of the environment.
normalize() { # FILE
	sed -E 's/^[0-9]+ +//; s/0x[0-9a-f]+ (\/\*)/P \1/; s/\) +=/) =/' "$1" | grep '^exec\|^<'
}

# Runs both tracers on these calls.
compare() { # CALLS COMMAND [ARG...]
	strace -f -e signal=none -o theirs -e "trace=$1" "${@:2}"
	"$KTRACE" strace -f -o ours -e "trace=$1" "${@:2}" 2>message
	diff <(normalize ours) <(normalize theirs)
}

@test "execveat returns as execveat, whatever number the kernel gives it" {
	compare execveat "$EXECS" at /bin/true
	[[ "$(normalize ours | tail -n 1)" == 'execveat('[3-9]', "", ["/bin/true"], P /* 0 vars */, AT_EMPTY_PATH) = 0' ]]
	compare execve "$EXECS" at /bin/true
	[ "$(grep -c execve ours)" -eq 1 ]
	compare execve,execveat "$EXECS" at /bin/true
	[ "$(grep -c execve ours)" -eq 3 ]
	"$KTRACE" strace -z -e execveat "$EXECS" at /bin/true 2>message
	[ "$(grep -c 'execveat([3-9], .* = 0$' message)" -eq 1 ]
	[ "$(grep -c 'execveat(-1' message)" -eq 0 ]
	"$KTRACE" strace -c -U calls,errors,name -e execve,execveat "$EXECS" at /bin/true 2>message
	grep -E '^ +1 +execve$' message
	grep -E '^ +2 +1 execveat$' message
}

@test "a trace names it, and a filter by its arguments selects its return" {
	record -e syscalls:execveat -f 'fd >= 0' -- "$EXECS" at /bin/true
	"$KTRACE" print --events --json | jq -c '[.event, .fields.__syscall_nr, .fields.ret]' >events
	diff events - <<-'END'
		["sys_enter_execveat",322,null]
		["sys_exit_execveat",322,0]
	END
}

@test "an exec by another thread than the first returns to its entry" {
	compare execve,execveat "$EXECS" thread /bin/true
	grep -qE '^<\.\.\. execve resumed>\) = 0$' <(normalize ours)
	record -e syscalls:execve -f 'filename == "/bin/true"' -- "$EXECS" thread /bin/true
	"$KTRACE" print --events --json | jq -r '[.event, .tid, .fields.__entry_tid] | @tsv' >events
	read -r event caller none < <(sed -n 1p events)
	[ "$event $none" = "sys_enter_execve " ]
	read -r event tid entry < <(sed -n 2p events)
	[ "$event $entry" = "sys_exit_execve $caller" ]
	[ "$tid" -ne "$caller" ]
	[ "$(wc -l <events)" -eq 2 ]
	"$KTRACE" strace -f -c -U calls,min-time,name -e execve "$EXECS" thread /bin/true 2>message
	grep -E '^ +2 +0\.[0-9]+ execve$' message
	[ "$(grep -c 'not known' message)" -eq 0 ]
}

# A 32-bit program that execs a 64-bit one.
write_32bit_program() { # FILE
	perl -e '
		my $at = 0x8048000;
		my $data = pack("a12 L2", "/bin/true", $at + 0x54, 0);
		my $code = pack("CL CL CL CL n CL n", 0xb8, 11, 0xbb, $at + 0x54, 0xb9, $at + 0x60,
			0xba, $at + 0x64, 0xcd80, 0xb8, 1, 0xcd80);
		my $size = 0x54 + length("$data$code");
		print "\x7fELF", pack("C5 x7 S2 L5 S6", 1, 1, 1, 0, 0, 2, 3, 1, $at + 0x68, 0x34, 0, 0, 52,
			32, 1, 0, 0, 0), pack("L8", 1, 0, $at, $at, $size, $size, 5, 4096), $data, $code' >"$1"
	chmod +x "$1"
}

@test "between word sizes a call returns once, to its own entry" {
	write_32bit_program narrow
	./narrow || skip "this kernel runs no program of 32 bits"
	"$KTRACE" strace -f -o ours -T -e execve,exit_group ./narrow 2>message
	diff <(sed -E 's/^[0-9]+ +//; s/0x[0-9a-f]+/P/; s/ +=/ =/; s/[0-9]+ vars/N vars/; s/<0\.[0-9]{9}>/T/' ours) - <<-'END'
		execve("./narrow", ["./narrow"], P /* N vars */) = 0 T
		exit_group(0) = ?
		+++ exited with 0 +++
	END
	record -e syscalls:execve -- ./narrow
	"$KTRACE" print --events --json | jq -c '[.event, .comm, .fields.ret]' >events
	diff events - <<-'END'
		["sys_enter_execve","ktrace",null]
		["sys_exit_execve","narrow",0]
	END
	"$KTRACE" strace -f -o ours -e execve,exit_group sh -c './narrow; :' 2>message
	[ "$(grep -c 'execve(.* = 0$' ours)" -eq 2 ]
	[ "$(grep -c 'resumed' ours)" -eq 0 ]
}
