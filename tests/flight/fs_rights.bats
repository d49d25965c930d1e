#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs, who may do what with each file there is, by shell commands. The files of tracefs that are of the
# same kind, and who made the calls, are the witnesses.

load flight
load numbers
load tree

# What has become of it, as of $(written), by somebody; behind what the file has.
appended() { # FILE TEXT [COMMAND...]
	"${@:3}" bash -c 'printf %s "$2" >>"$1"' - "$1" "$2" 2>why && echo 1 || sed -n '$s/.*: //p' why
}

# Its mode, and what becomes of writing nonsense to it: as in tracefs, or in so many words.
is_to_be() { # FILE
	local like=
	case $1 in
	events/* | set_event_pid | trace | trace_pipe | tracing_on) like=$1 ;;
	enabled | snapshot_enabled | snapshot_pipe) like=tracing_on ;;
	buffers/cpu*) like=per_cpu/${1#*/}/trace_pipe_raw ;;
	buffers/kept*) like=per_cpu/cpu${1#*kept}/trace_pipe_raw ;;
	buffers/metadata | info | overflow | version) echo "-r--r----- Invalid argument" ;;
	reset) echo "--w------- Invalid argument" ;;
	*) echo "of no kind that is known here" ;;
	esac
	[ -z "$like" ] || echo "$(stat -c %A "$theirs/$like") $(appended "$theirs/$like" x)"
}

# Somebody who is in its directory already.
cannot() { # read|write FILE COMMAND...
	local there=(env -C "tree/$(dirname "$2")" "${@:3}") file
	file=$(basename "$2")
	if [ "$1" = read ]; then
		! "${there[@]}" cat "$file" 2>why || return 1
		grep -q "Permission denied" why
		return
	fi
	[ "$(appended "$file" 1 "${there[@]}")" = "Permission denied" ]
	! "${there[@]}" truncate -s 0 "$file" 2>why || return 1
	grep -q "Permission denied" why
	# These are nobody's at all.
	! "${there[@]}" chmod 666 "$file" 2>why || return 1
	! "${there[@]}" chown 65534 "$file" 2>why || return 1
	! "${there[@]}" rm -f "$file" 2>why || return 1
}

# What a session is, but for its age and what it has used.
session() {
	"$KTRACE" status --json | jq -S '[.events[] | [.event, .enabled, .filter, .hits]], .paused, .pids, .hits, .spare_rings'
}

each_is_for_some() {
	local as_other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	local as_member=(setpriv --reuid 65534 --regid 65534 --groups 4)
	local file dir mode
	start_numbered -b 64K -e sched_process_exec -f 'common_pid == 4194304' -e syscalls:sys_enter_getppid \
		-f 'common_pid == 4194304' --keep
	begin -g 4 tree
	begin_theirs
	call_numbers 1 3
	session >before
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
		cannot read "$file" "${as_other[@]}"
		cannot write "$file" "${as_other[@]}"
		cannot write "$file" "${as_member[@]}"
		[ "${mode:4:1}" = r ] || cannot read "$file" "${as_member[@]}"
		[ "$mode $(appended "tree/$file" x)" = "$(is_to_be "$file")" ]
	done <files
	session | diff before -

	# What a group is for.
	for file in $(grep -v '^reset$\|^trace_pipe$\|^buffers' files); do
		"${as_member[@]}" cat "tree/$file" | diff - "tree/$file"
	done
	numbers tree/trace | cmp - <(seq 3)
	"${as_member[@]}" timeout 1 cat tree/trace_pipe >text || [ $? -eq 124 ]
	numbers text | cmp - <(seq 3)
	mkdir d
	for file in tree/buffers/*; do
		"${as_member[@]}" timeout 1 cat "$file" >"d/${file##*/}" || [ $? -eq 124 ]
	done
	numbers_of d | cmp - <(seq 3)
	echo 1 >tree/snapshot_pipe
	"${as_member[@]}" cat tree/snapshot_pipe >text
	numbers text | cmp - <(seq 3)
	end_theirs
	end
	ktrace stop
}

@test "each file is root's, a group may read it, nobody else" {
	needs_fuse
	apart each_is_for_some
}

# Root only of what is his own.
is_for_no_root_of_his_own() {
	local as_root=(setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Ur)
	"${as_root[@]}" true 2>said || exit 99
	chmod 755 .
	start_numbered -b 64K
	begin -g 4 tree
	[ "$("${as_root[@]}" id -u)" = 0 ]
	! "${as_root[@]}" ls tree 2>why || false
	grep -q "Permission denied" why
	cannot read events/enable "${as_root[@]}"
	cannot write events/enable "${as_root[@]}"
	cannot write reset "${as_root[@]}"
	end
	ktrace stop
}

@test "nor who is root in a user namespace" {
	needs_fuse
	apart is_for_no_root_of_his_own
}

# The owner of the directory above moves it away, and puts a link to another mount in its place.
is_unmounted_where_it_is() {
	local as_other=(env -C above setpriv --reuid 65534 --regid 65534 --clear-groups)
	chmod 755 .
	mkdir -p above/a/b kept
	chown -R 65534 above
	mount -t tmpfs nodev kept
	touch kept/file
	ktrace start -b 8K -e sched_switch
	"$KTRACE" fs --foreground above/a/b 2>heard 3>&- &
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

	# Such a link leads nowhere, but one's own does.
	refused 1 fs above/a/b
	[ "$said" = "ktrace fs: above/a/b: a symbolic link of 'nobody'; to follow it, name its target: $PWD/kept" ]
	mkdir there
	ln -s there here
	tree=$PWD/there
	trap end_served EXIT
	ktrace fs here
	[ "$said" = "ktrace fs: 'flight' is at $tree until 'umount $tree'" ]
	[ "$(<there/enabled)" = 1 ]
	end
	refused 1 fs /
	[ "$said" = "ktrace fs: /: the root directory cannot be a mount point" ]
	ktrace stop
}

@test "what others do to the directories above has nothing else mounted on or unmounted" {
	needs_fuse
	apart is_unmounted_where_it_is
}

# The file systems in memory that the server has: their numbers, what fits in, what is used.
memories() {
	find "/proc/$(pgrep -f -- "^$KTRACE fs .*$tree")/fd" -lname / -exec stat -L -c '%d %n' {} + | sort -u -k 1,1 |
		while read -r device path; do echo "$device $(stat -f -c '%S %b %f' "$path")"; done |
		perl -ane 'printf "%d %d %d\n", $F[0], $F[1] * $F[2], $F[1] * ($F[2] - $F[3])'
}

# A member of the group opens it so often, or until that fails: $n times, and $why. Until close_all.
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

takes_so_much_memory() {
	local as_member=(setpriv --reuid 65534 --regid 65534 --groups 4)
	local rings=$(($(lscpu -p=cpu | grep -c '^[0-9]') << 20)) n why
	local limit=$(((64 << 20) + 4 * rings))
	ulimit -n 4096
	ktrace start -b 1M -e sched_switch
	begin -g 4 tree
	cat tree/trace >text
	[ -s text ]

	# While nothing is recorded all have the same.
	echo 0 >tree/enabled
	open_often tree/trace 20
	[ "$n $why" = "20 all" ]
	[ "$(memories | wc -l)" = 1 ]
	read -r _ size _ < <(memories)
	[ "$size" -eq $(((64 << 20) + rings)) ]
	close_all
	await eval '[ -z "$(memories)" ]'

	# Each time something else.
	echo 1 >tree/enabled
	open_often tree/trace 4000
	[ "$why" = "Too many open files in system" ]
	[ "$n" -gt 20 ]
	memories >now
	[ "$(wc -l <now)" -gt 20 ]
	[ "$(perl -ane '$n += $F[2]; END { print $n }' now)" -le "$limit" ]
	[ "$(awk '/^RssAnon/ { print $2 * 1024 }' "/proc/$(pgrep -f -- "^$KTRACE fs .*$tree")/status")" -le "$limit" ]
	! "${as_member[@]}" cat tree/trace 2>text || false
	grep -q "Too many open files in system" text
	# Root has as much as there is.
	cat tree/trace >text
	[ -s text ]
	close_all
	"${as_member[@]}" cat tree/trace >text
	[ -s text ]
	end
	ktrace stop
}

@test "a group's members take so much memory, and no more" {
	needs_fuse
	apart takes_so_much_memory
}
