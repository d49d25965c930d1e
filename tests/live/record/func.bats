#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of the kernel as events. The witnesses: what tests/traced/seeks says of its own calls,
# and the kernel's own tracer of functions.

bats_require_minimum_version 1.5.0

load ../recording
load ../functions

# Prints "OFFSET WHENCE" of each call of shmem_file_llseek(). jq would round such offsets.
print_seeks() {
	"$KTRACE" print t | sed -n 's/.*: shmem_file_llseek: .*offset=\(.*\) whence=\(.*\)/\1 \2/p'
}

# Prints the names of functions that at least two source files have, of those given.
find_shared_name() { # NAME...
	for name; do
		[ "$(grep -c " [tT] $name\$" /proc/kallsyms)" -lt 2 ] || echo "$name"
	done
}

@test "arguments have the names and values of the source" {
	record_command -e func:shmem_file_llseek -- "$TRACED/seeks" values
	print_seeks >calls
	sed -n 's/^seek \(.*\) = .*/\1/p' stdout | diff - calls
	[ "$(wc -l <stdout)" -eq 7 ]
	"$KTRACE" print --json t | jq -se 'all(.fields.file | startswith("0x"))'
	grep -q 'none .*lost' <("$KTRACE" report t)
}

@test "every call is counted: of threads, children, programs after exec" {
	record_command -e func:shmem_file_llseek -- "$TRACED/seeks" threads 1 1000
	[ "$(count shmem_file_llseek)" -eq 1000 ]
	record_command -e func:shmem_file_llseek -- "$TRACED/seeks" threads 64 50
	[ "$(count shmem_file_llseek)" -eq 3200 ]
	record_command --nested -e func:shmem_file_llseek -- "$TRACED/seeks" threads 64 50
	[ "$(count shmem_file_llseek)" -eq 3200 ]
	record_command -e func:shmem_file_llseek -- "$TRACED/seeks" forks 7
	[ "$(count shmem_file_llseek)" -eq 7 ]
	record_command -e func:shmem_file_llseek -- "$TRACED/seeks" exec 5
	[ "$(count shmem_file_llseek)" -eq 5 ]
}

@test "filters test arguments by their sign and size" {
	record_command -e func:shmem_file_llseek -f 'offset < 0 && whence != 1' -- "$TRACED/seeks" values
	print_seeks >calls
	printf '%s\n' '-1 2' '-9223372036854775808 0' | diff - calls
	record_command -e func:shmem_file_llseek -f 'offset <= 10' -- "$TRACED/seeks" threads 4 100
	[ "$(count shmem_file_llseek)" -eq 40 ]
}

# Reads each of the files given 2 bytes at a time.
read_files() {
	perl -e 'for (@ARGV) { open F, "<", $_; 1 while sysread F, $b, 2 }' "$@"
}

check_pointers() { # OPTION...
	record_command "$@" -e func:vfs_read -f 'file->f_path.dentry->d_name.name == "beta"' -- bash -c 'read_files "$@"' - alpha beta gamma
	[ "$(count vfs_read)" -eq 6 ]
	record_command "$@" -e func:vfs_read -f 'file->f_path.dentry->d_name.name ~ "[ab]?*a" && *pos >= 8' -- bash -c 'read_files "$@"' - alpha beta gamma
	[ "$(count vfs_read)" -eq 3 ]
	record_command "$@" -e func:vfs_read -f "file->f_inode->i_ino == $(stat -c %i gamma) && count == 2" -- bash -c 'read_files "$@"' - alpha beta gamma
	[ "$(count vfs_read)" -eq 2 ]
	record_command "$@" -e func:vfs_read -f 'file->f_path.dentry->d_parent->d_name.name != "" && file->f_inode->i_size > 8 && file->f_inode->i_size < 1K && count == 2' -- bash -c 'read_files "$@"' - alpha beta gamma
	[ "$(count vfs_read)" -eq 6 ]
}

@test "filters follow pointers to numbers and texts" {
	export -f read_files
	printf '12345678' >alpha
	printf '0123456789' >beta
	printf '1' >gamma
	check_pointers
	check_pointers --nested
}

@test "a struct passed by value is a number, an enumerator has its name" {
	grep -q ' T from_kuid_munged$' /proc/kallsyms || skip "from_kuid_munged() is inlined here"
	record_command -e func:from_kuid_munged -- setpriv --reuid=4711 --clear-groups id -u
	"$KTRACE" print --json t | jq -se 'any(.fields.kuid == 4711)'
	record_command -e func:hrtimer_nanosleep -- sleep 0.01
	"$KTRACE" print t | grep -q 'sleep.* mode=HRTIMER_MODE_REL '
}

@test "functions of one name are one event, by their registers" {
	read -r name < <(find_shared_name c_start m_start s_start)
	[ "$name" ] || skip "this kernel has no two such functions"
	run --separate-stderr "$KTRACE" list --try "func:$name"
	grep -q 'not permitted\|no kprobes' <<<"$output" && skip "${lines[0]}"
	[[ $output == "func:$name (kprobe"?(.multi)": the kernel has "*" functions of that name)" ]]
	record_command -e "func:$name" -- cat /proc/cpuinfo /proc/crypto /proc/self/maps /proc/self/mounts
	instance=$(mktemp -d /sys/kernel/tracing/instances/kt_test_XXXXXX) || skip "no tracefs"
	echo "$name" >"$instance/set_ftrace_filter"
	echo function >"$instance/current_tracer"
	cat /proc/cpuinfo /proc/crypto /proc/self/maps /proc/self/mounts >stdout &
	wait $!
	seen=$(grep -c "cat-$!.* $name <-" "$instance/trace")
	rmdir "$instance"
	[ "$seen" -gt 1 ]
	[ "$(count "$name")" -eq "$seen" ]
}

@test "a glob means the functions that can be traced" {
	run --separate-stderr "$KTRACE" list --try 'func:shmem_file_llsee*,func:vfs_f*'
	grep -q 'not permitted\|no kprobes' <<<"$output" && skip "${lines[0]}"
	[ "$status" -eq 0 ]
	grep -q '^func:shmem_file_llseek (fentry)$\|^func:shmem_file_llseek (kprobe.multi: no fentry: ' <<<"$output"
	grep -q '^func:vfs_fsync (' <<<"$output"
	[[ $output != *"cannot be recorded"* ]]
}

@test "a function without types has its registers" {
	grep -q ' T __x64_sys_lseek$' /proc/kallsyms || skip "another kind of machine"
	record_command -e func:__x64_sys_lseek -- "$TRACED/seeks" threads 3 100
	[ "$(count __x64_sys_lseek)" -eq 300 ]
}

@test "a function of a module" {
	grep -q '^overlay ' /proc/modules || skip "the module overlay is not loaded"
	grep -q ' ovl_open.\[overlay\]' /proc/kallsyms || skip "the module has no ovl_open()"
	cp "$TRACED/seeks" program
	record_command -e func:overlay:ovl_open -- cat program program program
	[ "$(count overlay:ovl_open)" -ge 3 ]
	run --separate-stderr "$KTRACE" list func:ovl_open
	[ "$output" = func:overlay:ovl_open ]
}

@test "a function that cannot be traced is refused in words" {
	run --separate-stderr "$KTRACE" record -e func:native_write_msr -- true
	[[ $stderr == *"not permitted"* || $stderr == *"no kprobes"* ]] && skip "$stderr"
	[ "$status" -ne 0 ]
	[[ $stderr == *"the kernel does not let 'native_write_msr' be traced"* ]]
}
