#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace status.

load flight

# Writes the JSON object of each flight to a file of its name.
write_status() { # ARG...
	"$KTRACE" status "$@" >report
}

read_figure() { # NAME
	jq -r ".$1" report
}

check_status() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K
	make_calls 7
	write_status flight
	grep -x "flight: 1 event for [0-9.]* m\?s, since $(date +%F) [0-9:]*" report
	grep -Fx "  by $(id -un), process $(read_info flight | jq .pid): $(read_info flight | jq -r .command)" report
	grep -x "  7 hits, [0-9.]*/s recently; none \(known to be \)\?lost\(; [0-9]* filtered\)\?" report
	grep -x "  7 held, 0 overwritten: all since the start" report
	grep -x "  [0-9]* % of $(ls "$PLACE/flight/set0" | wc -l) rings\? of 8.0 KiB used, $(ls "$PLACE/flight/set1" | wc -l) spare; .* of memory" report
	grep -x "           7           0  $GETPGID where pid == 4194303" report

	taskset -c 0 perl -e 'getpgrp(4194303) for 1 .. 5000'
	write_status flight
	grep -x "  5007 hits, .*" report
	grep -x "  [0-9]* held, [0-9]* overwritten: at least the last .* of each CPU" report
	write_status
	[ "$(grep -cF "$GETPGID where" report)" -eq 0 ]
	ktrace stop
}

@test "status shows what was done" {
	run_on_bpffs check_status
}

# Of many events those that were hit come first, by their number of hits; a disabled one is shown.
check_order() {
	ktrace start -e 'syscalls:sys_enter_*' -f "comm == 'orderly'" -b 8K
	perl -e '$0 = "orderly"; getpgrp(7) for 1 .. 7; setpgrp(1, 4194303) for 1 .. 99'
	ktrace disable -e syscalls:sys_enter_kill
	write_status flight
	sed -n '/hits  *lost  event/,$p' report >events
	sed -n '2s/.*sys_enter_\([a-z_]*\).*/\1/p' events | grep -x setpgid
	grep -E '^ +99 +0  syscalls:sys_enter_setpgid where .*' events
	grep -E '^ +0 +0  syscalls:sys_enter_kill where .*, disabled ' events
	sed -n '2,$p' events | awk '/syscalls:/ { print $1 }' >hits
	sort -rn hits | diff hits -
	tail -n 1 events | grep -xE '  and [0-9]{3} events without hits'
	ktrace stop
}

@test "events are sorted by hits" {
	run_on_bpffs check_order
}

# The memory of everything pinned, as bpftool reads it.
read_memory() { # NAME
	local path sum=0
	while read -r path; do
		case $path in
		*/link/* | *:link) continue ;;
		*/program/*) kind=prog ;;
		*) kind=map ;;
		esac
		sum=$((sum + $(bpftool -j $kind show pinned "$path" | jq .bytes_memlock)))
	done < <(find "$PLACE/$1" -type f)
	echo "$sum"
}

check_json() {
	local began
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K
	taskset -c 0 perl -e 'getpgrp($_ % 5 ? 4194303 : 4194302) for 1 .. 5000'
	write_status --json
	[ "$(wc -l <report)" -eq 1 ]
	[ "$(read_figure session)" = flight ]
	[ "$(read_figure command)" = "$(read_info flight | jq -r .command)" ]
	[ "$(read_figure pid)" = "$(read_info flight | jq -r .pid)" ]
	[ "$(read_figure uid)" = "$(id -u)" ]
	began=$(read_figure began_1970)
	[ $((began / 1000000000 - $(date +%s))) -ge -60 ]
	[ "$(read_figure hits)" -eq 4000 ]
	[ "$(read_figure lost)" -eq 0 ]
	[ "$(read_figure losses)" = "[]" ]
	[ "$(read_figure filtered)" -ge 1000 ]
	[ "$(read_figure filtered)" -le "$(read_counter flight 4)" ]
	[ "$(read_figure 'held + .overwritten')" -eq 4000 ]
	[ "$(read_figure 'span < .age')" = true ]
	[ "$(read_figure rings)" -eq "$(ls "$PLACE/flight/set0" | wc -l)" ]
	[ "$(read_figure spare_rings)" -eq "$(ls "$PLACE/flight/set1" | wc -l)" ]
	[ "$(read_figure ring_size)" -eq 8192 ]
	[ "$(read_figure 'used <= .ring_size * .rings')" = true ]
	[ "$(read_figure memory)" -eq "$(read_memory flight)" ]
	[ "$(jq -c '.events[] | [.system, .event, .filter, .hits, .lost]' report)" = \
		'["syscalls","sys_enter_getpgid","pid == 4194303",4000,0]' ]
	ktrace stop
}

@test "--json has all figures, equal to bpftool's" {
	run_on_bpffs check_json
}

# Losses are hard to cause, so they are written into the counters, as programs do.
check_losses() {
	local zero='0 0 0 0 0 0 0' cpu
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K
	for ((cpu = 0; cpu < 2; cpu++)); do
		bpftool map update pinned "$PLACE/flight/counters" key $cpu 0 0 0 value \
			$((10 * cpu)) $zero $((3 * cpu)) $zero 0 $zero $((2 * cpu)) $zero \
			0 $zero $cpu $zero 0 $zero 0 $zero
	done
	write_status flight
	grep "^  10 hits, .*/s recently; lost 6 of 10: 3 no room in the ring (-b), 2 on a CPU that came online later, 1 too large for a record (-b) or unreadable" report
	grep -x "          10           6  $GETPGID where pid == 4194303" report
	write_status --json
	[ "$(read_figure lost)" -eq 6 ]
	[ "$(jq -c '.losses[] | [.event, .hits, .lost, .cause]' report | tr '\n' ' ')" = \
		'["sys_enter_getpgid",10,3,"full"] ["sys_enter_getpgid",10,2,"no_ring"] ["sys_enter_getpgid",10,1,"unfit"] ' ]
	ktrace stop
}

@test "losses are shown with their reasons" {
	[ "$(nproc --all)" -ge 2 ] || skip "one CPU"
	run_on_bpffs check_losses
}

check_list() {
	umount /sys/fs/bpf
	"$KTRACE" status >report 2>message
	[ "$(<message)" = "ktrace status: no flight recorder is running" ]
	[ "$(stat -f -c %T /sys/fs/bpf)" != bpf_fs ]
	assert_fails 1 status flight
	[ "$message" = "ktrace status: $NOT_RUNNING" ]

	ktrace start -e "$GETPGID" -b 8K two
	ktrace start -e "$GETPGID" -b 8K one
	[ "$(complete_line 'ktrace status ')" = "one two" ]
	"$KTRACE" status >report 2>message
	[ ! -s message ]
	[ "$(sed 's/:.*//; /^ /d' report | tr '\n' /)" = one//two/ ]
	[ "$("$KTRACE" status --json | jq -r .session | tr '\n' ' ')" = "one two " ]
	[ "$("$KTRACE" status --json two | jq -r .session)" = two ]

	mkdir -m 700 "$PLACE/left" "$PLACE/a@b"
	bpftool map pin pinned "$PLACE/one/info" "$PLACE/map"
	! "$KTRACE" status >with_others 2>message
	diff <(sed 's/:.*//; /^ /d' report) <(sed 's/:.*//; /^ /d' with_others)
	diff message - <<-END
		ktrace status: 'a@b' among the flight recorders is not ktrace's
		ktrace status: 'left' is incomplete (a ktrace was killed) and does not record; 'ktrace stop left' removes it
		ktrace status: map below /sys/fs/bpf: Not a directory
	END
	! flock "$PLACE/left" "$KTRACE" status left 2>message
	[ "$(<message)" = "ktrace status: 'left' is being started or stopped" ]
	ktrace stop left

	! setpriv --reuid 65534 --clear-groups "$KTRACE" status 2>message
	[ "$(<message)" = "ktrace status: $NOT_ROOT" ]
	# The owner is shown to users who are not the owner.
	chmod 755 /sys/fs/bpf "$PLACE" "$PLACE/one"
	! setpriv --reuid 65534 --clear-groups --inh-caps +bpf,+perfmon --ambient-caps +bpf,+perfmon \
		"$KTRACE" status one 2>message
	grep -F ": Permission denied; it belongs to 'root'" message
	assert_fails 2 status a/b
	assert_fails 2 status one two
	assert_fails 2 status --all
	ktrace stop one
	ktrace stop two
}

@test "all flights are listed, also an incomplete one" {
	run_on_bpffs check_list
}
