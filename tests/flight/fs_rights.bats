#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: access to each file. Witnesses: the corresponding files of tracefs, and who made the
# calls.

load flight
load numbers
load tree

# Prints the result of appending to a file, as try_write does, optionally as another user.
try_append() { # FILE TEXT [COMMAND...]
	"${@:3}" bash -c 'printf %s "$2" >>"$1"' - "$1" "$2" 2>why && echo 1 || sed -n '$s/.*: //p' why
}

# Prints a file's mode and the result of writing nonsense: as in tracefs, or a message.
expect_access() { # FILE
	local like=
	case $1 in
	events/* | set_event_pid | error_log | trace | trace_pipe | tracing_on) like=$1 ;;
	enabled | snapshot_enabled | snapshot_pipe) like=tracing_on ;;
	buffers/cpu*) like=per_cpu/${1#*/}/trace_pipe_raw ;;
	buffers/rare*) like=per_cpu/cpu${1#*rare}/trace_pipe_raw ;;
	buffers/metadata | info | overflow | version) echo "-r--r----- Invalid argument" ;;
	reset) echo "--w------- Invalid argument" ;;
	*) echo "of no kind that is known here" ;;
	esac
	[ -z "$like" ] || echo "$(stat -c %A "$theirs/$like") $(try_append "$theirs/$like" x)"
}

# A process already within the directory.
assert_denied() { # read|write FILE COMMAND...
	local there=(env -C "tree/$(dirname "$2")" "${@:3}") file
	file=$(basename "$2")
	if [ "$1" = read ]; then
		! "${there[@]}" cat "$file" 2>why || return 1
		grep -q "Permission denied" why
		return
	fi
	[ "$(try_append "$file" 1 "${there[@]}")" = "Permission denied" ]
	! "${there[@]}" truncate -s 0 "$file" 2>why || return 1
	grep -q "Permission denied" why
	# These files are writable by nobody.
	! "${there[@]}" chmod 666 "$file" 2>why || return 1
	! "${there[@]}" chown 65534 "$file" 2>why || return 1
	! "${there[@]}" rm -f "$file" 2>why || return 1
}

# Prints the state of the flight, except for ages and times.
print_state() {
	"$KTRACE" status --json | jq -S '[.events[] | [.event, .enabled, .filter, .hits]], .paused, .pids, .hits, .spare_rings'
}

check_access() {
	local as_other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	local as_member=(setpriv --reuid 65534 --regid 65534 --groups 4)
	local file dir mode
	start_numbered -b 64K -e sched_process_exec -f 'common_pid == 4194304' -e syscalls:sys_enter_getppid \
		-f 'common_pid == 4194304' --keep
	start_server -g 4 tree
	create_instance
	call_numbers 1 3
	print_state >before
	(cd tree && find . -type f -printf '%P\n' | sort) >files
	(cd tree && find . -type d -printf '%p\n' | sort) >directories
	[ "$(wc -l <files)" -ge 29 ]

	while read -r dir; do
		[ "$(stat -c '%A %U %g' "tree/$dir")" = "drwxr-x--- root 4" ]
		! env -C "tree/$dir" "${as_other[@]}" ls . 2>why || false
		grep -q "Permission denied" why
		! env -C "tree/$dir" "${as_other[@]}" touch new 2>why || false
		! env -C "tree/$dir" "${as_member[@]}" touch new 2>why || false
		"${as_member[@]}" ls "tree/$dir" | diff - <(ls "tree/$dir")
	done <directories

	while read -r file; do
		[ "$(stat -c '%U %g' "tree/$file")" = "root 4" ]
		mode=$(stat -c %A "tree/$file")
		assert_denied read "$file" "${as_other[@]}"
		assert_denied write "$file" "${as_other[@]}"
		assert_denied write "$file" "${as_member[@]}"
		[ "${mode:4:1}" = r ] || assert_denied read "$file" "${as_member[@]}"
		[ "$mode $(try_append "tree/$file" x)" = "$(expect_access "$file")" ]
	done <files
	print_state | diff before -

	# Access of a group.
	for file in $(grep -v '^reset$\|^trace_pipe$\|^buffers' files); do
		"${as_member[@]}" cat "tree/$file" | diff - "tree/$file"
	done
	print_numbers tree/trace | cmp - <(seq 3)
	"${as_member[@]}" timeout 1 cat tree/trace_pipe >text || [ $? -eq 124 ]
	print_numbers text | cmp - <(seq 3)
	mkdir d
	for file in tree/buffers/*; do
		"${as_member[@]}" timeout 1 cat "$file" >"d/${file##*/}" || [ $? -eq 124 ]
	done
	print_trace_numbers d | cmp - <(seq 3)
	echo 1 >tree/snapshot_pipe
	"${as_member[@]}" cat tree/snapshot_pipe >text
	print_numbers text | cmp - <(seq 3)
	remove_instance
	stop_server
	ktrace stop
}

@test "every file belongs to root, a group may read it, others may not" {
	skip_without_fuse
	run_on_bpffs check_access
}

# Root of a user namespace owns only its own files.
check_user_namespace() {
	local as_root=(setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Ur)
	"${as_root[@]}" true 2>message || exit 99
	chmod 755 .
	start_numbered -b 64K
	start_server -g 4 tree
	[ "$("${as_root[@]}" id -u)" = 0 ]
	! "${as_root[@]}" ls tree 2>why || false
	grep -q "Permission denied" why
	assert_denied read events/enable "${as_root[@]}"
	assert_denied write events/enable "${as_root[@]}"
	assert_denied write reset "${as_root[@]}"
	stop_server
	ktrace stop
}

@test "root of a user namespace has no access" {
	skip_without_fuse
	run_on_bpffs check_user_namespace
}

# The owner of the parent directory moves it and puts a link to another mount in its place.
check_moved_mount() {
	local as_other=(env -C above setpriv --reuid 65534 --regid 65534 --clear-groups)
	chmod 755 .
	mkdir -p above/a/b kept
	chown -R 65534 above
	mount -t tmpfs nodev kept
	touch kept/file
	ktrace start -b 8K -e sched_switch
	"$KTRACE" fs --foreground above/a/b 2>messages 3>&- &
	server=$!
	trap 'kill "$server"' EXIT
	await test -e above/a/b/version
	"${as_other[@]}" bash -c 'mv a c && mkdir a && ln -s "$1" a/b' - "$PWD/kept"
	[ -e above/c/b/version ]
	kill "$server"
	wait "$server"
	trap - EXIT
	[ -e kept/file ]
	! mountpoint -q above/c/b || false

	# Such a link is not followed; a link of one's own is.
	assert_fails 1 fs above/a/b
	[ "$message" = "ktrace fs: above/a/b: a symbolic link of 'nobody'; to follow it, name its target: $PWD/kept" ]
	mkdir there
	ln -s there here
	tree=$PWD/there
	trap end_served EXIT
	ktrace fs here
	[ "$message" = "ktrace fs: 'flight' is at $tree until 'umount $tree'" ]
	[ "$(<there/enabled)" = 1 ]
	stop_server
	assert_fails 1 fs /
	[ "$message" = "ktrace fs: /: the root directory cannot be a mount point" ]
	ktrace stop
}

@test "changes to parent directories cannot redirect a mount or an unmount" {
	skip_without_fuse
	run_on_bpffs check_moved_mount
}

# Lists the server's memory file systems: number, size, used.
list_memory() {
	find "/proc/$(pgrep -f -- "^$KTRACE fs .*$tree")/fd" -lname / -exec stat -L -c '%d %n' {} + | sort -u -k 1,1 |
		while read -r device path; do echo "$device $(stat -f -c '%S %b %f' "$path")"; done |
		perl -ane 'printf "%d %d %d\n", $F[0], $F[1] * $F[2], $F[1] * ($F[2] - $F[3])'
}

# Opens a file as a group member that often, or until it fails: $n times, with error $why. Files
# stay open until close_all.
open_often() { # FILE TIMES
	mkfifo go
	"${as_member[@]}" perl -e '$| = 1;
		for (1 .. $ARGV[1]) {
			open my $f, "<", $ARGV[0] or last;
			sysread $f, my $one, 1 or last;
			push @open, $f;
		}
		print scalar(@open), " ", @open < $ARGV[1] ? $! : "all", "\n";
		<STDIN>' "$@" <go >opened &
	opener=$!
	exec 7>go
	await test -s opened
	read -r n why <opened
}

close_all() {
	exec 7>&-
	wait "$opener"
	rm go opened
}

check_memory_limit() {
	local as_member=(setpriv --reuid 65534 --regid 65534 --groups 4)
	local rings=$(($(lscpu -p=cpu | grep -c '^[0-9]') << 20)) n why
	local limit=$(((64 << 20) + 4 * rings))
	ulimit -n 4096
	ktrace start -b 1M -e sched_switch
	start_server -g 4 tree
	cat tree/trace >text
	[ -s text ]

	# While nothing records, all readers have the same text.
	echo 0 >tree/enabled
	open_often tree/trace 20
	[ "$n $why" = "20 all" ]
	[ "$(list_memory | wc -l)" = 1 ]
	read -r _ size _ < <(list_memory)
	[ "$size" -eq $(((64 << 20) + rings)) ]
	close_all
	await eval '[ -z "$(list_memory)" ]'

	# Different text each time.
	echo 1 >tree/enabled
	open_often tree/trace 4000
	[ "$why" = "Too many open files in system" ]
	[ "$n" -gt 20 ]
	list_memory >now
	[ "$(wc -l <now)" -gt 20 ]
	[ "$(perl -ane '$n += $F[2]; END { print $n }' now)" -le "$limit" ]
	[ "$(awk '/^RssAnon/ { print $2 * 1024 }' "/proc/$(pgrep -f -- "^$KTRACE fs .*$tree")/status")" -le "$limit" ]
	! "${as_member[@]}" cat tree/trace 2>text || false
	grep -q "Too many open files in system" text
	# Root is not limited.
	cat tree/trace >text
	[ -s text ]
	close_all
	"${as_member[@]}" cat tree/trace >text
	[ -s text ]
	stop_server
	ktrace stop
}

@test "the memory that group members can use is limited" {
	skip_without_fuse
	run_on_bpffs check_memory_limit
}
