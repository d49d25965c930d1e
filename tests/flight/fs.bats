#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: reading the tree with shell commands. Witnesses: tracefs, bpftool, babeltrace2.

load flight
load tree

check_files() {
	local f e
	ktrace start -b 64K -e 'sched_wak*' -e "$GETPGID" -f 'pid == 4194303' -e sched_switch
	start_server tree
	[ "$message" = "ktrace fs: 'flight' is at $PWD/tree until 'umount $PWD/tree'" ]
	[ "$(findmnt -no SOURCE,FSTYPE tree | xargs)" = "flight fuse.ktrace" ]
	[ "$("$KTRACE" version)" = "ktrace $(<tree/version)" ]

	(cd tree && find . | sort) >found
	diff found - < <({
		printf './%s\n' '' enabled error_log events events/{enable,sched,syscalls} info overflow reset \
			set_event_pid snapshot_{enabled,pipe} trace{,_pipe} tracing_on version events/{sched,syscalls}/enable
		printf './buffers%s\n' '' /metadata $(lscpu -p=cpu | sed -n 's|^[0-9]|/cpu&|p')
		for e in $("$KTRACE" list 'sched:sched_wak*,sched_switch' "$GETPGID"); do
			printf "./events/${e/://}%s\n" '' /enable /filter /format /id
		done
	} | sed 's|/$||' | sort)
	[ "$(wc -l <found)" -eq $((21 + $(grep -c /cpu found) + 5 * $(grep -c /id found))) ]
	[ "$(grep -c /id found)" -ge 5 ]

	# bpftool's numbers, and ktrace's own --foreground.
	for f in tree/events/*/*/{format,id}; do
		diff "$f" "/sys/kernel/tracing/${f#tree/}"
	done
	[ "$(<tree/events/syscalls/sys_enter_getpgid/filter)" = "pid == 4194303" ]
	[ "$(<tree/events/sched/sched_switch/filter)" = none ]
	[ "$(head -n 1 tree/info)" = "version $(<tree/version)" ]
	for f in tree/events/*/*/format; do
		f=${f%/format}
		echo "name '$(basename "${f%/*}"):${f##*/}' format '$(
			sed -n 's/^print fmt: "\([^"]*\)".*/\1/p' "$f/format")' id $(<"$f/id") enabled"
	done | diff <(tail -n +2 tree/info) -
	grep -q "^name 'sched:sched_wakeup' format 'comm=%s pid=%d [^']*' id [0-9]* enabled$" tree/info

	# Reads in pieces and at offsets; sizes are 0 like tracefs's.
	cat tree/info >info
	dd if=tree/info bs=7 status=none | cmp - info
	[ "$(tail -c +9 tree/info | head -n 1)" = "$(<tree/version)" ]
	dd if=tree/info bs=1 skip=100000 status=none >rest
	[ ! -s rest ]
	[ "$(print_modes tree/info)" = "-r--r----- root root 0 tree/info" ]
	stop_server
	[ -z "$(ls tree)" ]
	"$KTRACE" status >running
	grep -q ^flight: running
	ktrace stop
}

@test "the tree has the events as tracefs describes them; unmounting leaves the flight running" {
	skip_without_fuse
	run_on_bpffs check_files
}

check_enable_files() {
	ktrace start -b 8K -e 'sched_wakeup,sched_waking' -e "$GETPGID"
	start_server tree
	read_enables() {
		cat tree/enabled tree/tracing_on tree/events/enable tree/events/{sched,syscalls}/enable \
			tree/events/sched/{sched_wakeup,sched_waking}/enable | xargs
	}
	[ "$(read_enables)" = "1 1 1 1 1 1 1" ]
	ktrace disable -e sched_wakeup
	[ "$(read_enables)" = "1 1 X X 1 0 1" ]
	[ "$(grep -c ' disabled$' tree/info)" -eq 1 ]
	grep -q "^name 'sched:sched_wakeup' .* disabled$" tree/info
	ktrace disable -e 'sched:*'
	[ "$(read_enables)" = "1 1 X 0 1 0 0" ]
	ktrace disable -e '*:*'
	[ "$(read_enables)" = "1 1 0 0 0 0 0" ]
	ktrace enable -e "$GETPGID" -e sched_waking
	[ "$(read_enables)" = "1 1 X X 1 0 1" ]
	ktrace enable -e '*:*'
	[ "$(read_enables)" = "1 1 1 1 1 1 1" ]
	ktrace pause
	[ "$(read_enables)" = "0 0 1 1 1 1 1" ]
	ktrace resume
	[ "$(read_enables)" = "1 1 1 1 1 1 1" ]
	stop_server
	ktrace stop
}

@test "enable is 1, 0 or X as events are switched; enabled is 0 while paused" {
	skip_without_fuse
	run_on_bpffs check_enable_files
}

check_overflow() {
	local held
	ktrace start -b 64K -e "$GETPGID"
	start_server tree
	[ "$(<tree/overflow)" = 0 ]
	make_calls 100
	[ "$(<tree/overflow)" = 0 ]
	make_calls 20000
	[ "$(<tree/overflow)" -gt 0 ]
	cat tree/overflow >overflow
	# Everything else is in the snapshot.
	ktrace snapshot -o trace
	held=$(babeltrace2 trace | grep -c getpgid)
	[ $((held + $(<overflow))) -eq 20100 ]
	[ "$(<tree/overflow)" -eq "$(<overflow)" ]
	# The flight was swapped after the server opened it, and has new rings.
	ktrace reset
	[ "$(<tree/overflow)" = 0 ]
	stop_server
	ktrace stop
}

@test "overflow counts what no ring has" {
	skip_without_fuse
	run_on_bpffs check_overflow
}

check_overflow_without_spare() {
	ktrace start -b 64K -e "$GETPGID" --no-spare
	start_server tree
	make_calls 20000
	[ "$(<tree/overflow)" -gt 0 ]
	ktrace snapshot -o trace
	make_calls 100
	[ $(($(babeltrace2 trace | grep -c getpgid) + $(<tree/overflow))) -eq 20000 ]
	ktrace reset
	[ "$(<tree/overflow)" = 0 ]
	stop_server
	ktrace stop
}

@test "overflow is right if each snapshot makes new rings" {
	skip_without_fuse
	run_on_bpffs check_overflow_without_spare
}

check_frozen() {
	ktrace start -b 8K -e sched_switch --freeze-on "$GETPGID if pid == 4194303"
	start_server tree
	[ "$(cat tree/{enabled,tracing_on} | xargs)" = "1 1" ]
	make_calls 1
	[ "$(cat tree/{enabled,tracing_on} tree/events/enable | xargs)" = "0 0 1" ]
	ktrace snapshot -o trace
	[ "$(cat tree/{enabled,tracing_on} | xargs)" = "1 1" ]
	stop_server
	ktrace stop
}

@test "a frozen flight shows as not enabled" {
	skip_without_fuse
	run_on_bpffs check_frozen
}

check_restart() {
	local map old lines
	ktrace start -b 8K -e sched_switch -e "$GETPGID"
	map=$(bpftool -j map show pinned "$PLACE/flight/enable" | jq .id)
	start_server tree
	exec 5<tree/info
	# The server lets go of a stopped flight by itself.
	cat tree/enabled
	ktrace stop
	await_freed map "$map"
	[ "$(ls tree | xargs)" = "error_log version" ]
	! cat tree/enabled 2>why
	[ "$(<why)" = "cat: tree/enabled: No such file or directory" ]
	# A file opened before still has the old contents.
	mapfile -t -u 5 lines
	[ "${#lines[@]}" -eq 3 ]
	exec 5<&-

	# A directory opened before belongs to no other flight.
	ktrace start -b 8K -e irq_handler_entry
	old=$(stat -c %i tree/events)
	cd tree/events
	[ "$(echo *)" = "enable irq" ]
	(cd ../.. && ktrace stop && ktrace start -b 8K -e sched_switch)
	! ls . 2>../../why || false
	cd ../..
	[ "$(ls tree/events | xargs)" = "enable sched" ]
	[ "$(stat -c %i tree/events)" != "$old" ]
	[ "$(stat -c %i tree)" = 1 ]
	stop_server
	ktrace stop
}

@test "the tree shows whichever flight of that name runs, and holds none of them" {
	skip_without_fuse
	run_on_bpffs check_restart
}

check_group() {
	local as_other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	local as_member=(setpriv --reuid 65534 --regid 65534 --groups 4)
	chmod 755 .
	ktrace start -b 8K -e sched_switch night
	start_server tree night
	[ "$(print_modes tree tree/events tree/events/enable | cut -d' ' -f 1-3)" = "$(printf '%s root root\n' \
		drwx------ drwxr-x--- -rw-r-----)" ]
	! "${as_other[@]}" ls tree 2>why || false
	grep -q "Permission denied" why
	! "${as_other[@]}" cat tree/events/enable 2>why || false
	grep -q "Permission denied" why
	stop_server

	start_server -g 4 tree night
	[ "$(stat -c '%A %g' tree tree/events/enable)" = "$(printf '%s 4\n' drwxr-x--- -rw-r-----)" ]
	[ "$("${as_member[@]}" cat tree/events/sched/enable)" = 1 ]
	[ "$("${as_member[@]}" ls tree/events/sched)" = "$(printf '%s\n' enable sched_switch)" ]
	! "${as_other[@]}" cat tree/events/enable 2>why || false
	grep -q "Permission denied" why
	! "${as_other[@]}" ls tree 2>why || false
	stop_server
	[ "$(getent group adm | cut -d: -f3)" != 4 ] || {
		start_server --group=adm tree night
		[ "$(stat -c %G tree)" = adm ]
		stop_server
	}
	ktrace stop night
}

@test "the tree belongs to root and to the group given with -g" {
	skip_without_fuse
	run_on_bpffs check_group
}

check_signals() {
	local signal status
	ktrace start -b 8K -e sched_switch
	mkdir tree
	for signal in INT TERM HUP; do
		"$KTRACE" fs --foreground tree 2>messages 3>&- &
		server=$!
		trap 'kill "$server"' EXIT
		await test -e tree/version
		# While a process is in the tree, unmounting waits for it to leave.
		exec 5<tree/info
		kill "-$signal" "$server"
		status=0
		wait "$server" || status=$?
		trap - EXIT
		[ "$status" -eq 0 ]
		[ ! -e tree/version ]
		exec 5<&-
		grep -q "^ktrace fs: 'flight' is at .*/tree until" messages
	done

	# Something mounted over it since is not unmounted.
	"$KTRACE" fs --foreground tree 2>messages 3>&- &
	server=$!
	trap 'kill -KILL "$server"' EXIT
	await test -e tree/version
	kill -STOP "$server"
	umount tree
	mount -t tmpfs nodev tree
	kill -CONT "$server"
	wait "$server"
	trap - EXIT
	mountpoint -q tree
	umount tree

	# A killed server leaves the flight, and a mount whose error says so.
	"$KTRACE" fs --foreground tree 2>messages 3>&- &
	server=$!
	await test -e tree/version
	kill -KILL "$server"
	! wait "$server" || false
	assert_fails 1 fs tree
	[ "$message" = "ktrace fs: tree: Transport endpoint is not connected; 'umount' removes what is left there" ]
	umount tree
	start_server tree
	[ "$(<tree/enabled)" = 1 ]
	stop_server
	ktrace stop
}

@test "signals unmount the tree; the mount of a killed server can be cleaned up" {
	skip_without_fuse
	run_on_bpffs check_signals
}

check_background() {
	ktrace start -b 8K -e sched_switch
	mkdir tree
	tree=$PWD/tree
	trap end_served EXIT
	[ -z "$(timeout 10 "$KTRACE" fs "$tree" 5>&1 2>&1 >/dev/null | cat | grep -v "is at")" ]
	[ "$(<tree/enabled)" = 1 ]
	stop_server
	ktrace stop
}

@test "in the background it keeps none of its caller's files open" {
	skip_without_fuse
	run_on_bpffs check_background
}

check_errors() {
	mkdir tree
	assert_fails 1 fs tree
	[ "$message" = "ktrace fs: $NOT_RUNNING" ]
	assert_fails 2 fs
	[ "$message" = "ktrace fs: missing mount point" ]
	assert_fails 2 fs tree one two
	assert_fails 2 fs tree a/b
	ktrace start -b 8K -e sched_switch
	assert_fails 1 fs nosuch
	[ "$message" = "ktrace fs: nosuch: No such file or directory" ]
	touch file
	assert_fails 1 fs file
	[ "$message" = "ktrace fs: file: Not a directory" ]
	assert_fails 1 fs -g nosuchgroup tree
	diff <(echo "$message") - <<-END
		ktrace fs: unknown group 'nosuchgroup'
		  nosuchgroup
		  ^~~~~~~~~~~
	END
	assert_fails 1 fs -g -1 tree
	assert_fails 1 fs -g 4294967296 tree
	! setpriv --reuid 65534 --clear-groups "$KTRACE" fs /tmp 2>message || false
	[ "$(<message)" = "ktrace fs: $NOT_ROOT" ]
	# With the rights to read a flight, but not to mount.
	! setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$KTRACE" fs tree 2>message || false
	[ "$(<message)" = "ktrace fs: cannot mount at $PWD/tree: Operation not permitted; CAP_SYS_ADMIN is missing: run as root" ]
	mount --bind /dev/null /dev/fuse
	assert_fails 1 fs tree
	[ "$message" = "ktrace fs: cannot mount at $PWD/tree: Invalid argument" ]
	umount /dev/fuse
	[ "$(complete_line 'ktrace fs ')" = tree ]
	[ -z "$(ls tree)" ]
	ktrace stop
}

@test "mount errors are reported with their reason" {
	skip_without_fuse
	run_on_bpffs check_errors
}
