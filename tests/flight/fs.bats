#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs, what can be read there, by shell commands. What tracefs, bpftool and babeltrace2 say are the witnesses.

load flight
load tree

shows_what_there_is() {
	local f e
	ktrace start -b 64K -e 'sched_wak*' -e "$GETPGID" -f 'pid == 4194303' -e sched_switch
	begin tree
	[ "$said" = "ktrace fs: 'flight' is at $PWD/tree until 'umount $PWD/tree'" ]
	[ "$(findmnt -no SOURCE,FSTYPE tree | xargs)" = "flight fuse.ktrace" ]
	[ "$("$KTRACE" version)" = "ktrace $(<tree/version)" ]

	(cd tree && find . | sort) >found
	diff found - < <({
		printf './%s\n' '' enabled events events/{enable,sched,syscalls} info overflow reset \
			set_event_pid snapshot_{enabled,pipe} trace{,_pipe} tracing_on version events/{sched,syscalls}/enable
		printf './buffers%s\n' '' /metadata $(lscpu -p=cpu | sed -n 's|^[0-9]|/cpu&|p')
		for e in $("$KTRACE" list 'sched:sched_wak*,sched_switch' "$GETPGID"); do
			printf "./events/${e/://}%s\n" '' /enable /filter /format /id
		done
	} | sed 's|/$||' | sort)
	[ "$(wc -l <found)" -eq $((20 + $(grep -c /cpu found) + 5 * $(grep -c /id found))) ]
	[ "$(grep -c /id found)" -ge 5 ]

	# What the kernel says of them, and our own -f.
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

	# In any pieces; a number by its place in the file; no size that could be believed.
	cat tree/info >info
	dd if=tree/info bs=7 status=none | cmp - info
	[ "$(tail -c +9 tree/info | head -n 1)" = "$(<tree/version)" ]
	dd if=tree/info bs=1 skip=100000 status=none >rest
	[ ! -s rest ]
	[ "$(modes tree/info)" = "-r--r----- root root 0 tree/info" ]
	end
	[ -z "$(ls tree)" ]
	"$KTRACE" status >running
	grep -q ^flight: running
	ktrace stop
}

@test "it has the session's events as tracefs describes them, and unmounting leaves the session" {
	needs_fuse
	apart shows_what_there_is
}

follows_switches() {
	ktrace start -b 8K -e 'sched_wakeup,sched_waking' -e "$GETPGID"
	begin tree
	enables() {
		cat tree/enabled tree/tracing_on tree/events/enable tree/events/{sched,syscalls}/enable \
			tree/events/sched/{sched_wakeup,sched_waking}/enable | xargs
	}
	[ "$(enables)" = "1 1 1 1 1 1 1" ]
	ktrace disable -e sched_wakeup
	[ "$(enables)" = "1 1 X X 1 0 1" ]
	[ "$(grep -c ' disabled$' tree/info)" -eq 1 ]
	grep -q "^name 'sched:sched_wakeup' .* disabled$" tree/info
	ktrace disable -e 'sched:*'
	[ "$(enables)" = "1 1 X 0 1 0 0" ]
	ktrace disable -e '*:*'
	[ "$(enables)" = "1 1 0 0 0 0 0" ]
	ktrace enable -e "$GETPGID" -e sched_waking
	[ "$(enables)" = "1 1 X X 1 0 1" ]
	ktrace enable -e '*:*'
	[ "$(enables)" = "1 1 1 1 1 1 1" ]
	ktrace pause
	[ "$(enables)" = "0 0 1 1 1 1 1" ]
	ktrace resume
	[ "$(enables)" = "1 1 1 1 1 1 1" ]
	end
	ktrace stop
}

@test "enable is 1, 0 or X as events are switched, and enabled 0 while all is paused" {
	needs_fuse
	apart follows_switches
}

counts_what_overflows() {
	local held
	ktrace start -b 64K -e "$GETPGID"
	begin tree
	[ "$(<tree/overflow)" = 0 ]
	make_calls 100
	[ "$(<tree/overflow)" = 0 ]
	make_calls 20000
	[ "$(<tree/overflow)" -gt 0 ]
	cat tree/overflow >overflow
	# All else is in the snapshot.
	ktrace snapshot -o trace
	held=$(babeltrace2 trace | grep -c getpgid)
	[ $((held + $(<overflow))) -eq 20100 ]
	[ "$(<tree/overflow)" -eq "$(<overflow)" ]
	# The flight was turned since the server opened it, and has rings that it did not have then.
	ktrace reset
	[ "$(<tree/overflow)" = 0 ]
	end
	ktrace stop
}

@test "overflow is what no ring has" {
	needs_fuse
	apart counts_what_overflows
}

counts_without_spare() {
	ktrace start -b 64K -e "$GETPGID" --no-spare
	begin tree
	make_calls 20000
	[ "$(<tree/overflow)" -gt 0 ]
	ktrace snapshot -o trace
	make_calls 100
	[ $(($(babeltrace2 trace | grep -c getpgid) + $(<tree/overflow))) -eq 20000 ]
	ktrace reset
	[ "$(<tree/overflow)" = 0 ]
	end
	ktrace stop
}

@test "overflow, where each snapshot makes rings of its own" {
	needs_fuse
	apart counts_without_spare
}

freezes() {
	ktrace start -b 8K -e sched_switch --freeze-on "$GETPGID if pid == 4194303"
	begin tree
	[ "$(cat tree/{enabled,tracing_on} | xargs)" = "1 1" ]
	make_calls 1
	[ "$(cat tree/{enabled,tracing_on} tree/events/enable | xargs)" = "0 0 1" ]
	ktrace snapshot -o trace
	[ "$(cat tree/{enabled,tracing_on} | xargs)" = "1 1" ]
	end
	ktrace stop
}

@test "a session that is frozen is not enabled" {
	needs_fuse
	apart freezes
}

is_of_whichever_runs() {
	local map old lines
	ktrace start -b 8K -e sched_switch -e "$GETPGID"
	map=$(bpftool -j map show pinned "$PLACE/flight/gate" | jq .id)
	begin tree
	exec 5<tree/info
	# What is stopped is let go of by itself.
	cat tree/enabled
	ktrace stop
	await_end map "$map"
	[ "$(ls tree)" = version ]
	! cat tree/enabled 2>why
	[ "$(<why)" = "cat: tree/enabled: No such file or directory" ]
	# What was opened then is as it was.
	mapfile -t -u 5 lines
	[ "${#lines[@]}" -eq 3 ]
	exec 5<&-

	# A directory of then is none of another session's.
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
	end
	ktrace stop
}

@test "it is of whichever session of that name there is, and holds on to none" {
	needs_fuse
	apart is_of_whichever_runs
}

is_for_root_and_a_group() {
	local as_other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	local as_member=(setpriv --reuid 65534 --regid 65534 --groups 4)
	chmod 755 .
	ktrace start -b 8K -e sched_switch night
	begin tree night
	[ "$(modes tree tree/events tree/events/enable | cut -d' ' -f 1-3)" = "$(printf '%s root root\n' \
		drwx------ drwxr-x--- -rw-r-----)" ]
	! "${as_other[@]}" ls tree 2>why || false
	grep -q "Permission denied" why
	! "${as_other[@]}" cat tree/events/enable 2>why || false
	grep -q "Permission denied" why
	end

	begin -g 4 tree night
	[ "$(stat -c '%A %g' tree tree/events/enable)" = "$(printf '%s 4\n' drwxr-x--- -rw-r-----)" ]
	[ "$("${as_member[@]}" cat tree/events/sched/enable)" = 1 ]
	[ "$("${as_member[@]}" ls tree/events/sched)" = "$(printf '%s\n' enable sched_switch)" ]
	! "${as_other[@]}" cat tree/events/enable 2>why || false
	grep -q "Permission denied" why
	! "${as_other[@]}" ls tree 2>why || false
	end
	[ "$(getent group adm | cut -d: -f3)" != 4 ] || {
		begin --group=adm tree night
		[ "$(stat -c %G tree)" = adm ]
		end
	}
	ktrace stop night
}

@test "it is root's, and the group's that was named" {
	needs_fuse
	apart is_for_root_and_a_group
}

ends_by_signals() {
	local signal status
	ktrace start -b 8K -e sched_switch
	mkdir tree
	for signal in INT TERM HUP; do
		"$KTRACE" fs --foreground tree 2>heard 3>&- &
		server=$!
		trap 'kill "$server"' EXIT
		await test -e tree/version
		# Somebody is in there: it goes as soon as he has left.
		exec 5<tree/info
		kill "-$signal" "$server"
		status=0
		wait "$server" || status=$?
		trap - EXIT
		[ "$status" -eq 0 ]
		[ ! -e tree/version ]
		exec 5<&-
		grep -q "^ktrace fs: 'flight' is at .*/tree until" heard
	done

	# What has been mounted there since is another's.
	"$KTRACE" fs --foreground tree 2>heard 3>&- &
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

	# One that was killed leaves the session, and a mount that says so.
	"$KTRACE" fs --foreground tree 2>heard 3>&- &
	server=$!
	await test -e tree/version
	kill -KILL "$server"
	! wait "$server" || false
	refused 1 fs tree
	[ "$said" = "ktrace fs: tree: Transport endpoint is not connected; 'umount' removes what is left there" ]
	umount tree
	begin tree
	[ "$(<tree/enabled)" = 1 ]
	end
	ktrace stop
}

@test "Ctrl-C and the like unmount it; one that was killed can be cleaned up" {
	needs_fuse
	apart ends_by_signals
}

holds_nothing_of_the_caller() {
	ktrace start -b 8K -e sched_switch
	mkdir tree
	tree=$PWD/tree
	trap end_served EXIT
	[ -z "$(timeout 10 "$KTRACE" fs "$tree" 5>&1 2>&1 >/dev/null | cat | grep -v "is at")" ]
	[ "$(<tree/enabled)" = 1 ]
	end
	ktrace stop
}

@test "in the background it holds open nothing of its caller's" {
	needs_fuse
	apart holds_nothing_of_the_caller
}

refuses() {
	mkdir tree
	refused 1 fs tree
	[ "$said" = "ktrace fs: $NOT_RUNNING" ]
	refused 2 fs
	[ "$said" = "ktrace fs: missing mount point" ]
	refused 2 fs tree one two
	refused 2 fs tree a/b
	ktrace start -b 8K -e sched_switch
	refused 1 fs nosuch
	[ "$said" = "ktrace fs: nosuch: No such file or directory" ]
	touch file
	refused 1 fs file
	[ "$said" = "ktrace fs: file: Not a directory" ]
	refused 1 fs -g nosuchgroup tree
	diff <(echo "$said") - <<-END
		ktrace fs: unknown group 'nosuchgroup'
		  nosuchgroup
		  ^~~~~~~~~~~
	END
	refused 1 fs -g -1 tree
	refused 1 fs -g 4294967296 tree
	! setpriv --reuid 65534 --clear-groups "$KTRACE" fs /tmp 2>said || false
	[ "$(<said)" = "ktrace fs: $NOT_ROOT" ]
	# With the rights to look at a session, but not to mount.
	! setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$KTRACE" fs tree 2>said || false
	[ "$(<said)" = "ktrace fs: cannot mount at $PWD/tree: Operation not permitted; CAP_SYS_ADMIN is missing: run as root" ]
	mount --bind /dev/null /dev/fuse
	refused 1 fs tree
	[ "$said" = "ktrace fs: cannot mount at $PWD/tree: Invalid argument" ]
	umount /dev/fuse
	[ "$(completed 'ktrace fs ')" = tree ]
	[ -z "$(ls tree)" ]
	ktrace stop
}

@test "it refuses what cannot be mounted, and says why" {
	needs_fuse
	apart refuses
}
