#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls with pointed-to data in a flight; tests/live/strace/lines_of_flight.bats has each
# kind of call.

load flight

# Recorded with a text that tells which buffer set a record is from.
check_options() {
	local size
	head -c 9000 < <(yes) >letters
	for size in 0 5 4096; do
		ktrace start -e syscalls:sys_exit_read -f 'comm == "kt_dd" && ret > 4096' -s "$size" -y
		./kt_dd if=letters bs=9000 of=copied
		ktrace snapshot -o "of$size"
		ktrace stop
		"$KTRACE" print --events --json "of$size" | jq -c '.fields.__buf_val // "" | [.[:4], length]' >"read$size"
		"$KTRACE" print --strace "of$size" >"printed$size"
	done
	[ "$(uniq read0)" = '["",0]' ]
	[ "$(uniq read5)" = '["y\ny\n",5]' ]
	[ "$(uniq read4096)" = '["y\ny\n",4096]' ]
	ktrace start -e syscalls:read -y -f 'comm == "kt_dd"'
	./kt_dd if=letters bs=9000 of=copied
	ktrace snapshot -o paths
	ktrace stop
	"$KTRACE" print --strace paths >printed
	grep -F "read(0<$PWD/letters>, \"y\\ny\\n" printed
}

@test "-s and -y decide how many bytes and which paths are recorded" {
	cp "$(type -P dd)" kt_dd
	run_on_bpffs check_options
}

check_filters() {
	ktrace start -e sys_enter_openat -f 'flags & O_CREAT && filename ~ "ma*"' -e syscalls:sys_exit_mkdir -f 'ret == -EEXIST' \
		-e syscalls:sys_enter_mmap -f 'flags & MAP_ANONYMOUS && fd == -1'
	sh -c 'echo >made; echo >other; mkdir made; cat /dev/null' || true
	ktrace snapshot -o kept
	"$KTRACE" print --events kept >printed
	grep "sh-.*sys_enter_openat: __syscall_nr=257 dfd=AT_FDCWD filename=\"made\" flags=O_WRONLY|O_CREAT|O_TRUNC mode=0666$" printed
	[ "$(grep -c enter_openat printed)" -eq 1 ]
	grep "mkdir-.*sys_exit_mkdir: __syscall_nr=83 ret=-EEXIST$" printed
	grep 'cat-.*sys_enter_mmap: .* prot=PROT_READ|PROT_WRITE flags=MAP_PRIVATE|MAP_ANONYMOUS fd=-1 off=0x0$' printed
	babeltrace2 kept >theirs
	grep 'mkdir: .*ret = ( "-EEXIST" : container = -17 )' theirs
	ktrace stop
}

@test "filters test pointed-to data, on their own side of the call" {
	run_on_bpffs check_filters
}

check_triggers() {
	ktrace start -e sys_enter_openat --freeze-on 'sys_enter_openat if filename == "here"'
	sh -c 'echo >before; echo >here; echo >behind'
	ktrace snapshot -o frozen
	"$KTRACE" print --strace frozen | sed -n 's/.*"\(before\|here\|behind\)".*/\1/p' >seen
	[ "$(paste -sd' ' seen)" = 'before here' ]
	ktrace stop
}

@test "so do triggers" {
	run_on_bpffs check_triggers
}

# A record larger than the available room is lost, and counted in the packets from then on.
check_losses() {
	local long
	long=$(printf '%0200d/' {1..18})flown
	mkdir -p "${long%/*}"
	cp kt_flown "$long"
	ktrace start -e sched_process_exec -b 8K
	taskset -c 0 sh -c './kt_flown; "$1"; ./kt_flown' - "./$long"
	ktrace snapshot -o trace
	ktrace stop
	"$KTRACE" report --json trace >report
	[ "$(jq .lost report)" -eq 1 ]
	"$KTRACE" print trace >printed 2>complaints
	[ "$(cat complaints)" = 'ktrace print: 1 event was lost when this was recorded; the output says where' ]
	grep -q 'filename=./kt_flown ' printed
}

@test "losses are reported where nothing is overwritten" {
	run_on_bpffs check_losses
}
