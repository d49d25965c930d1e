#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# strace's classes of system calls, compared with strace.

bats_require_minimum_version 1.5.0

load ../recording

# Makes every call with a number, none of which is carried out: a seccomp filter fails all but the
# one that ends the program. uretprobe bypasses filters.
EACH='require "syscall.ph";
	my ($load, $is, $return, $allow, $enosys) = (0x20, 0x15, 6, 0x7fff0000, 0x50026);
	my $filter = pack("SCCL" x 4, $load, 0, 0, 0, $is, 0, 1, SYS_exit_group(),
		$return, 0, 0, $allow, $return, 0, 0, $enosys);
	my $program = pack("Sx![P]P", 4, $filter);
	syscall(SYS_prctl(), 38, 1, 0, 0, 0) == 0 && syscall(SYS_prctl(), 22, 2, $program) == 0 or die $!;
	for my $n (0 .. 480) {
		syscall($n, (-1) x 6) unless $n == SYS_exit_group() || $n == 335 || $n == 336;
	}
	syscall(SYS_exit_group(), 0)'

# Lists the calls that strace prints, by name; unnamed ones are syscall_0x1c3.
strace_calls() { # [OPTION]...
	strace -o straced -e signal=none "$@" perl -e "$EACH"
	sed -nE 's/^([a-z0-9_]+)\(.*/\1/p' straced | grep -v ^syscall_ | sort -u
}

# Lists the calls of the listed events, with strace's names.
list_calls() { # PATTERN...
	"$KTRACE" list "$@" | sed -nE 's/^syscalls:sys_enter_//p' | sed -E '
		s/^new([fl]?stat|uname)$/\1/; s/^sendfile64$/sendfile/; s/^umount$/umount2/' | sort -u
}

list_classes() {
	"$KTRACE" list --help | grep -oE '%%?[a-z]+'
}

@test "a class has the calls of strace's class" {
	strace_calls >known
	list_calls 'syscalls:*' >described
	comm -12 known described >both
	[ "$(wc -l <both)" -gt 300 ]
	for class in $(list_classes); do
		strace_calls -e "trace=$class" | comm -12 - both >theirs
		list_calls "$class" | comm -12 - both >ours
		[ -s theirs ]
		diff theirs ours
		list_calls 'syscalls:*' | comm -23 - <(list_calls "$class") | diff - <(list_calls 'syscalls:*' "!$class")
	done
}

# For calls newer than strace, the kernel's types of arguments decide.
@test "newer calls with a file name or a descriptor are in those classes" {
	strace_calls >known
	list_calls 'syscalls:*' | comm -13 known - >newer
	[ -s newer ] || skip "strace knows all of them"
	list_calls %file >file
	list_calls %desc >desc
	while read -r call; do
		fields=$("$KTRACE" list -v --json "syscalls:sys_enter_$call" | jq -r '.fields[].name')
		for class in file desc; do
			[ "$class" = file ] && argument='.*filename|.*pathname' || argument='fd|dfd'
			[ -z "$(grep -xE "$argument" <<<"$fields")" ] || grep -qx "$call" "$class" || echo "$call: $class"
		done
	done <newer >missing
	diff /dev/null missing
}

# cat calls fstat on its output: a call of both classes.
WORK='cat /etc/hostname ./none; mkdir made; mv made moved; rmdir moved; ls -l / >/dev/null'

@test "a command's calls of a class are those that strace prints" {
	for class in file process,%memory; do
		strace -f -o straced -e signal=none -e "trace=%$class" sh -c "$WORK" >there 3>&-
		record -e "%$class" --strict -b 4M -- sh -c "$WORK"
		[ "$status" -eq 0 ]
		diff <(sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' straced | sort | uniq -c) \
			<("$KTRACE" print --strace | sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' | sort | uniq -c)
	done
}

@test "calls have the names that programs use" {
	[ "$("$KTRACE" list syscalls:stat)" = "$(printf 'syscalls:sys_%s_newstat\n' enter exit)" ]
	[ "$("$KTRACE" list 'syscalls:umount2')" = "$(printf 'syscalls:sys_%s_umount\n' enter exit)" ]
}

@test "an unknown class is reported with a suggestion" {
	run -1 --separate-stderr "$KTRACE" list %
	[[ $stderr == *"system calls '%'; expected $(list_classes | paste -sd, | sed 's/,/, /g')"* ]]
	run -1 --separate-stderr "$KTRACE" list %flie
	[[ $stderr == *"unknown class of system calls '%flie'; did you mean '%file'?"* ]]
	run -1 --separate-stderr "$KTRACE" list sched:%file
	[[ $stderr == *"no event of 'sched' is of the class '%file'; did you mean '%file'?"* ]]
}
