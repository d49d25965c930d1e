#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Names and fields of functions of the kernel, which need no right.

bats_require_minimum_version 1.5.0

load ../recording

@test "list shows arguments as C declares them, without any right" {
	run --separate-stderr "$KTRACE" list -v func:shmem_file_llseek
	[ "${lines[1]}" = "    struct file *file" ]
	[ "${lines[2]}" = "    loff_t offset" ]
	[ "${lines[3]}" = "    int whence" ]
	run --separate-stderr "$KTRACE" list func:vmlinux:shmem_file_llseek
	[ "$output" = func:shmem_file_llseek ]
}

@test "a wrong name: the nearest one, and its place" {
	run --separate-stderr "$KTRACE" list func:shmem_file_llsek
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace list: the kernel has no function 'shmem_file_llsek'; did you mean 'shmem_file_llseek'?
  func:shmem_file_llsek
       ^~~~~~~~~~~~~~~~" ]
	run --separate-stderr "$KTRACE" record -e func:no_such_function_at_all -- true
	[[ $stderr == *"'no_such_function_at_all'; the compiler may have made it a part of its callers"* ]]
	run --separate-stderr "$KTRACE" list 'func:no_such_*'
	[[ $stderr == *"no function of the kernel matches 'no_such_*'"* ]]
	run --separate-stderr "$KTRACE" list func:nosuch:shmem_file_llseek
	[[ $stderr == *"no module 'nosuch'"* ]]
	run --separate-stderr "$KTRACE" list func:
	[[ $stderr == *"missing function: func:FUNCTION"* ]]
	run --separate-stderr "$KTRACE" list 'func:vfs_[a'
	[[ $stderr == *"missing ']'"* ]]
}

@test "a return has what the function returns, and a duration" {
	run --separate-stderr "$KTRACE" list -v func:shmem_file_llseek:return
	[ "${lines[0]}" = "func:shmem_file_llseek:return (fexit)" ]
	[ "${lines[1]}" = "    loff_t ret" ]
	[[ ${lines[2]} == *" duration" ]]
	run --separate-stderr "$KTRACE" list -v func:mmput:return
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} == *" duration" ]]
	run --separate-stderr "$KTRACE" list func:shmem_file_llsek:return
	[ "$stderr" = "ktrace list: the kernel has no function 'shmem_file_llsek'; did you mean 'shmem_file_llseek'?
  func:shmem_file_llsek:return
       ^~~~~~~~~~~~~~~~" ]
}

@test "a filter's path that is wrong: what is wrong, and where" {
	refuse() { # FILTER MESSAGE PLACE
		run --separate-stderr "$KTRACE" record -e "${4:-func:vfs_read}" -f "$1" -- true
		[ "$status" -ne 0 ]
		[[ ${stderr_lines[0]} == *"$2" ]]
		[ "${stderr_lines[1]}" = "  $1" ]
		[ "${stderr_lines[2]}" = "  $3" ]
	}
	refuse 'file->f_nothing == 1' "the structure has no such member" '      ^~~~~~~~~'
	refuse 'fil->f_mode == 1' "there is no such argument" '^~~'
	refuse 'count->x == 1' "there is no pointer to follow" '     ^~'
	refuse 'file->f_mode == "x"' "the field is a number, not text" '                 ^'
	refuse 'file->f_path.dentry->d_name.name == 5' "the field is text, which needs quotes" \
		'                                    ^'
	refuse 'file->f_path == 1' "not a number, pointer or array" '^~~~~~~~~~~~'
	refuse 'file-> == 1' "a name is missing here" '      ^'
	refuse 'ret->x == 1' "there is no pointer to follow" '   ^~' func:vfs_read:return
	refuse 'file->f_mode == 1' "at the return only 'ret' can be followed" '^~~~' func:vfs_read:return
	refuse 'prev->pid == 1' "only arguments of functions of the kernel can be followed, if it tells their types" \
		'^~~~~~~~~' sched:sched_switch
}
