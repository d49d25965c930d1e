#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of programs as events. The witness: what tests/traced/functions says of its own calls.

bats_require_minimum_version 1.5.0

load ../recording

# Records a run of the program; what it prints is in stdout.
record_functions() { # OPTION... -- ARG...
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	"$KTRACE" record "${options[@]}" -o t -- "$TRACED/functions" "${@:2}" >stdout 2>message || {
		grep -q 'not permitted\|denied' message && skip "$(<message)"
		cat message
		return 1
	}
}

count() { # EVENT
	"$KTRACE" print --json t | jq -s --arg e "$1" 'map(select(.event == $e)) | length'
}

# Prints "mix A B C D E F = RESULT" of each call in the trace. Numbers beyond 4 MiB are addresses.
print_calls() {
	local line numbers
	"$KTRACE" print --json t | jq -r '
		if .event == "functions:mix" then .fields | "mix \(.arg0) \(.arg1) \(.arg2) \(.arg3) \(.arg4) \(.arg5)"
		else "= \(.fields.ret)" end' | paste -d' ' - - |
		while read -r line; do
			numbers=
			for n in $line; do
				[[ $n == 0x* ]] && n=$((n))
				numbers+="$n "
			done
			echo "${numbers% }"
		done
}

@test "arguments and results are those that the program prints" {
	record_functions -e "uprobe:$TRACED/functions:mix,uprobe:$TRACED/functions:mix:return" -- values
	print_calls >calls
	diff stdout calls
	[ "$(wc -l <stdout)" -eq 4 ]
	grep -q 'none .*lost' <("$KTRACE" report t)
}

@test "every call is counted: of threads, children, programs after exec, inside itself" {
	p=uprobe:$TRACED/functions:
	record_functions -e "${p}mix,${p}mix:return" -- threads 1 1000
	[ "$(count functions:mix)" -eq 1000 ]
	[ "$(count functions:mix:return)" -eq 1000 ]
	record_functions -e "${p}mix,${p}mix:return" -- threads 64 50
	[ "$(count functions:mix)" -eq 3200 ]
	[ "$(count functions:mix:return)" -eq 3200 ]
	record_functions -e "${p}mix" -- forks 7
	[ "$(count functions:mix)" -eq 7 ]
	record_functions -e "${p}mix" -- exec 4
	[ "$(count functions:mix)" -eq 4 ]
	record_functions -e "${p}nest,${p}nest:return" -- depth 30
	[ "$(count functions:nest)" -eq 31 ]
	"$KTRACE" print --json t | jq -s -e 'map(.fields.ret // empty) == [range(31)]'
}

@test "returns of calls nested too deep for the kernel are counted as missed" {
	p=uprobe:$TRACED/functions:nest
	record_functions -e "$p,$p:return" -- depth 63
	[ "$(count functions:nest:return)" -eq 64 ]
	grep -q 'none .*lost' <("$KTRACE" report t)
	record_functions -e "$p,$p:return" -- depth 100
	[ "$(count functions:nest)" -eq 101 ]
	[ "$(count functions:nest:return)" -eq 64 ]
	[ "$("$KTRACE" report --json t | jq '.losses[] | select(.cause == "missed").lost')" -eq 37 ]
	grep -q 'functions:nest:return: lost 37 of 101: 37 missed' message
}

@test "a library that is loaded later is probed" {
	echo 'long twice(long n) { return 2 * n; }' | gcc -shared -fPIC -O1 -x c -o libtwice.so.1 -
	record_functions -e "uprobe:$PWD/libtwice.so.1:twice:return" -- library ./libtwice.so.1 twice 5
	"$KTRACE" print --json t | jq -s -e 'map(.fields.ret) == [10, 8, 6, 4, 2]'
}

@test "filters test arguments and results" {
	p=uprobe:$TRACED/functions:mix
	record_functions -e "$p" -f 'arg5 < -1 && arg0 != 0' -e "$p:return" -f 'ret == 0' -- values
	[ "$(count functions:mix)" -eq "$(awk '$7 < -1 && $2 != 0' stdout | wc -l)" ]
	[ "$(count functions:mix:return)" -eq "$(grep -c ' = 0$' stdout)" ]
	[ "$("$KTRACE" print -f 'arg1 == -2' t | wc -l)" -eq 1 ]
}

@test "-p probes that process alone" {
	mkfifo in1 in2
	for i in 1 2; do
		"$TRACED/functions" wait <in$i >out$i 3>&- &
		others+=($!)
	done
	exec 6>in1 7>in2
	start -e "uprobe:$TRACED/functions:mix" -p "${others[0]}" -o t
	printf '11\n12\n' >&6
	echo 21 >&7
	for i in 1 2; do
		until grep -q done out$i; do sleep 0.1; done
	done
	until [ "$(wc -l <out1)" -eq 2 ]; do sleep 0.1; done
	# The other process has no breakpoint: its code is as in the file.
	at=$((16#$(nm "$TRACED/functions" | sed -n 's/ T mix$//p')))
	for i in 0 1; do
		base=$((16#$(sed -n '/\/functions$/ { s/-.*//p; q; }' "/proc/${others[i]}/maps")))
		dd if="/proc/${others[i]}/mem" bs=1 skip=$((base + at)) count=1 status=none >byte$i
	done
	[ "$(od -An -tx1 byte0)" = ' cc' ]
	[ "$(od -An -tx1 byte1)" != ' cc' ]
	kill -INT "$pid"
	exec 6>&- 7>&-
	finish
	[ "$status" -eq 0 ]
	"$KTRACE" print --json t | jq -s -e 'map(.fields.arg0) == [11, 12]'
}

@test "an instruction inside a function has no arguments" {
	record_functions -e "uprobe:$TRACED/functions:mix+0" -- values
	[ "$(count functions:mix)" -eq 4 ]
	second=$(objdump -d --no-show-raw-insn --disassemble=mix "$TRACED/functions" |
		awk '/<mix>:/ { getline; getline; sub(":", "", $1); print "0x" $1; exit }')
	start=0x$(nm "$TRACED/functions" | sed -n 's/ T mix$//p')
	offset=$(printf '%#x' $((second - start)))
	record_functions -e "uprobe:$TRACED/functions:mix+$offset" -- values
	"$KTRACE" print --json t | jq -s -e --arg e "functions:mix+$offset" \
		'map([.event, .fields]) == [range(4) | [$e, {}]]'
	record_functions -e "uprobe:$TRACED/functions:$start" -- values
	"$KTRACE" print --json t | jq -s -e 'map(.fields.arg1 // empty)[0] == -2'
}

@test "patterns: names are looked up, globs take each function once" {
	"$KTRACE" list uprobe:bash:main uprobe:libc:malloc:return >names
	diff names - <<-END
		uprobe:bash:main
		uprobe:libc.so.6:malloc:return
	END
	[ "$("$KTRACE" list "uprobe:$TRACED/functions:mix*" "uprobe:$TRACED/functions:n?st")" = "$(
		printf '%s\n' uprobe:functions:mix uprobe:functions:nest)" ]
	[ "$("$KTRACE" list "uprobe:$TRACED/functions:mix_alias")" = uprobe:functions:mix_alias ]
	[ "$("$KTRACE" list "uprobe:$TRACED/functions:*" "!uprobe:$TRACED/functions:[!mn]*" |
		grep -v '_$')" = "$(printf 'uprobe:functions:%s\n' main mix nest)" ]
	cp "$TRACED/functions" .
	[ "$("$KTRACE" list uprobe:./functions:mix "uprobe:$TRACED/functions:mix")" = "$(
		printf 'uprobe:%s:mix\n' functions "$TRACED/functions")" ]
	objcopy --only-keep-debug "$TRACED/functions" debug
	"$KTRACE" list -v "uprobe:$TRACED/functions:mix" | head -n 3 >kind
	grep -q '^uprobe:functions:mix (uprobe' kind
	grep -q '^    long arg0$' kind
}

# The witness is objdump.
@test "an offset must be an instruction's" {
	objdump -d --no-show-raw-insn --disassemble=main "$TRACED/functions" |
		sed -n '/<main>:$/,/^$/ s/^ *\([0-9a-f]*\):.*/\1/p' | head -n 40 >at
	start=$((16#$(head -n 1 at)))
	last=$((16#$(tail -n 1 at)))
	for ((i = start; i <= last; i++)); do
		grep -qx "$(printf '%x' $i)" at && echo "main+$((i - start))"
	done >expected
	for ((i = start; i <= last; i++)); do
		"$KTRACE" list "uprobe:$TRACED/functions:main+$((i - start))" >/dev/null 2>&1 &&
			echo "main+$((i - start))"
	done >accepted
	[ "$(wc -l <accepted)" -eq 40 ]
	diff expected accepted
}

# Prints the message of a wrong pattern.
fails() { # PATTERN
	run --separate-stderr "$KTRACE" list "$1"
	[ "$status" -ne 0 ]
	[ -z "$output" ]
	echo "$stderr" >message
}

@test "errors say what is wrong, and where" {
	fails "uprobe:$TRACED/functions:mxi"
	grep -q "no function 'mxi' in $TRACED/functions; did you mean 'mix'?" message
	[ "$(sed -n '3s/^ *//p' message)" = '^~~' ]
	fails uprobe:nosuchprogram:x
	grep -q "no program or library 'nosuchprogram' in PATH and the library directories" message
	[ "$(sed -n '3s/^ *//p' message)" = '^~~~~~~~~~~~~' ]
	fails uprobe:/nowhere/x:y
	grep -q '/nowhere/x: No such file or directory' message
	printf '#!/bin/sh -e\n' >script
	fails uprobe:./script:x
	grep -q 'script: not an ELF file but a script of /bin/sh -e' message
	fails uprobe:bash
	grep -q 'missing function: uprobe:FILE:FUNCTION' message
	fails uprobe::x
	grep -q 'missing program or library' message
	fails "uprobe:$TRACED/functions:mix+1x"
	grep -q "not an offset: '1x'" message
	fails "uprobe:$TRACED/functions:mix+9999"
	grep -q "'mix' has only [0-9]* bytes" message
	fails "uprobe:$TRACED/functions:mix+1"
	grep -q "no instruction of 'mix' begins at +0x1; see 'objdump" message
	fails "uprobe:$TRACED/functions:$(printf '%#x' $((16#$(nm "$TRACED/functions" | sed -n 's/ T mix$//p') + 1)))"
	grep -q "no known instruction of $TRACED/functions begins at 0x" message
	fails "uprobe:$TRACED/functions:mix+4:return"
	grep -q 'a return has no offset' message
	fails "uprobe:$TRACED/functions:no*such"
	grep -q "no function of $TRACED/functions matches 'no\*such'" message
	fails "uprobe:$TRACED/functions:m[ix"
	grep -q "missing ']'" message
	fails "uprobe:$TRACED/functions:0x1"
	grep -q "has no code at 0x1" message
	fails uprobe:libc:memcpy
	grep -q "'memcpy' is an indirect function" message
	cp "$TRACED/functions" stripped
	strip stripped
	fails uprobe:./stripped:mix
	grep -q 'stripped has no symbols (it is stripped); install its debug symbols of build id [0-9a-f]*, or' message
}

@test "symbols of a stripped file come from its debug file" {
	[ -w / ] || skip 'not root'
	id=$(readelf -n "$TRACED/functions" | sed -n 's/.*Build ID: //p')
	cp "$TRACED/functions" stripped
	strip stripped
	debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	unshare -m bash -e <<-END
		mkdir -p /usr/lib/debug
		mount -t tmpfs none /usr/lib/debug
		mkdir -p ${debug%/*}
		objcopy --only-keep-debug '$TRACED/functions' $debug
		"$KTRACE" list uprobe:./stripped:mix >names
		"$KTRACE" record -e uprobe:./stripped:mix -o t -- ./stripped values 2>message
	END
	[ "$(<names)" = uprobe:stripped:mix ]
	[ "$(count stripped:mix)" -eq 4 ]
}
