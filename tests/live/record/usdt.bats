#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# USDT marks as events. The witnesses: what tests/traced/marks prints of its own hits, what readelf
# reads, and what interpreters do when they are asked to.

bats_require_minimum_version 1.5.0

load ../recording

# Records a run of a program; what it prints is in stdout.
record_marks() { # OPTION... -- PROGRAM ARG...
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	rm -rf t message
	"$KTRACE" record "${options[@]}" -o t -- "${@:2}" >stdout 2>message || {
		grep -q 'not permitted\|denied' message && skip "$(<message)"
		cat message
		return 1
	}
}

# Prints "NAME ARGUMENT..." of each hit. Numbers beyond 4 MiB are addresses.
print_hits() {
	local name rest numbers n
	"$KTRACE" print t 2>/dev/null | sed -nE 's/.*:([a-z_]+): (.*)/\1 \2/p' |
		while read -r name rest; do
			numbers=
			for n in $rest; do
				n=${n#*=}
				[[ $n == 0x* ]] && n=$((n))
				numbers+=" $n"
			done
			echo "$name$numbers"
		done
}

# Records a run of marks, all of whose hits must be as it prints them.
check_marks() { # ARG...
	record_marks -e "usdt:$TRACED/marks:*" -- "$TRACED/marks" "$@"
	print_hits | diff stdout -
	grep -q 'none .*lost' <("$KTRACE" report t)
}

count() { # EVENT
	"$KTRACE" print --json t | jq -s --arg e "$1" 'map(select(.event == $e)) | length'
}

x86_only() {
	[ "$(uname -m)" = x86_64 ] || skip "the witness's notes are written for x86-64"
}

@test "arguments of each size and sign are those that the program passes" {
	check_marks values
	[ "$(wc -l <stdout)" -eq 3 ]
	check_marks many
}

@test "each site of a mark has its arguments elsewhere: all are attached and decoded" {
	check_marks sites 50
	[ "$(wc -l <stdout)" -eq 150 ]
}

@test "operands: parts of registers, indices, data of the program, constants" {
	x86_only
	record_marks -e "usdt:$TRACED/marks:*" -- "$TRACED/marks" operands
	print_hits >hits
	a=0x8182838485868788
	diff hits - <<-END
		parts $((a & 0xff)) $(((a >> 8 & 0xff) - 256)) $((a & 0xffff)) $(((a & 0xffffffff) - (1 << 32))) $((a)) 4294967294 5000000000
		indices 44 66 11 -1234 -1
		last -5 5 77
	END
}

@test "an argument of unknown kind has no field; the others keep their numbers" {
	record_marks -e "usdt:$TRACED/marks:real" -- "$TRACED/marks" real
	[ "$("$KTRACE" print --json t | jq -c .fields)" = '{"arg0":1,"arg2":3}' ]
}

@test "a semaphore is up while the mark is recorded, and only then" {
	"$TRACED/marks" guarded 3 | diff - <(printf 'off\noff\noff\n')
	check_marks guarded 3
	[ "$(cat stdout)" = "$(printf 'guarded %s\n' 3 2 1)" ]
	"$TRACED/marks" guarded 1 | diff - <(echo off)
}

@test "an argument that is not in memory is read from its file" {
	x86_only
	head -c 8192 /dev/urandom >file
	sync file
	python3 -c 'import os
f = os.open("file", os.O_RDONLY)
os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)'
	check_marks late file
}

@test "a hit with an unreadable argument is lost, and counted" {
	x86_only
	record_marks -e "usdt:$TRACED/marks:unreadable" -- "$TRACED/marks" unreadable
	[ "$("$KTRACE" print --json t | jq -s 'map(.fields.arg0 // empty)[]')" = 5 ]
	grep -q 'unreadable: lost 1 of 2: 1 .* unreadable' message
}

@test "every hit is counted: of threads, and of one process alone" {
	record_marks -e "usdt:$TRACED/marks:witness:line" -- "$TRACED/marks" threads 1 1000
	[ "$(count marks:witness:line)" -eq 1000 ]
	record_marks -e "usdt:$TRACED/marks:witness:line" -- "$TRACED/marks" threads 64 50
	[ "$(count marks:witness:line)" -eq 3200 ]

	mkfifo in1 in2
	for i in 1 2; do
		"$TRACED/marks" wait <in$i >out$i 3>&- &
		others+=($!)
	done
	exec 6>in1 7>in2
	rm -rf t message
	start -e "usdt:$TRACED/marks:line" -p "${others[0]}" -o t
	printf '1\n2\n3\n' >&6
	printf '4\n5\n' >&7
	for i in 1 2; do
		until [ "$(wc -l <out$i)" -eq $((4 - i)) ]; do sleep 0.1; done
	done
	kill -INT "$pid"
	exec 6>&- 7>&-
	finish
	"$KTRACE" print --json t | jq -s -e 'map(.fields.arg0) == [1, 2, 3]'
}

@test "filters test arguments, also those in memory and of several sites" {
	record_marks -e "usdt:$TRACED/marks:sites" -f 'arg0 < 0 && arg1 >= 4' -- "$TRACED/marks" sites 5
	print_hits | diff - <(awk '$2 < 0 && $3 >= 4' stdout)
	[ "$(print_hits | wc -l)" -eq 3 ]
}

@test "names are those that readelf reads; globs take a mark's sites once" {
	for file in "$TRACED/marks" /usr/lib/*/libstdc++.so.6; do
		readelf -n "$file" 2>/dev/null | awk '$1 == "Provider:" { p = $2 } $1 == "Name:" { print p ":" $2 }' |
			sort -u >right
		"$KTRACE" list "usdt:$file:*" | sed 's/^usdt:[^:]*://' | sort >names
		diff names right
		[ -s names ]
	done
	[ "$("$KTRACE" list "usdt:$TRACED/marks:wit*:*al*" | sed 's/.*://' | xargs)" = 'real values' ]
}

@test "errors say what is wrong, and where" {
	run "$KTRACE" list "usdt:$TRACED/marks:witness:valeus"
	[ "$status" -eq 1 ]
	[[ $output == *"no such USDT mark in $TRACED/marks; did you mean 'values'?"*"^"* ]]
	run "$KTRACE" list "usdt:$TRACED/marks:qqqqqqqq"
	[[ $output == *"see 'ktrace list usdt:$TRACED/marks:*'"* ]]
	run "$KTRACE" list "usdt:$TRACED/functions:x"
	[[ $output == *"$TRACED/functions has no USDT marks"* ]]
	run "$KTRACE" list usdt:no_such_program:x
	[ "$status" -eq 1 ]
	run "$KTRACE" list "usdt:$TRACED/marks"
	[[ $output == *"missing USDT mark: usdt:FILE:PROVIDER:NAME"* ]]
	run "$KTRACE" list "usdt:$TRACED/marks:a:b:c"
	[[ $output == *"not a USDT mark"* ]]
	run "$KTRACE" list "usdt:$TRACED/marks:[a"
	[[ $output == *"missing ']'"* ]]
}

@test "Python: lines and collections are those of the script" {
	python=$(readlink -f "$(command -v /usr/bin/python3)") || skip 'no Python'
	readelf -n "$python" 2>/dev/null | grep -q function__entry || skip 'this Python has no marks'
	# No other module has a line of that number.
	{
		printf 'import gc\ngc.disable()'
		printf '\n%.0s' {1..60000}
		printf 'def f(n):\n    return n\nfor i in range(30): f(i)\nfor i in range(3): print(gc.collect(i))\n'
	} >script.py
	line=$(grep -n return script.py | cut -d: -f1)
	record_marks -e "usdt:$python:gc__*" -e "usdt:$python:python:line" -f "arg2 == $line" -- "$python" -IS script.py
	p=$(basename "$python"):python
	# The interpreter collects by itself, too, when it starts and ends.
	of() { "$KTRACE" print --json t | jq -s -r --arg e "$p:$1" 'map(select(.event == $e).fields.arg0) | join(" ")'; }
	of gc__start | grep '0 1 2'
	of gc__done | grep "$(xargs <stdout)"
	[ "$(count "$p:line")" -eq 30 ]
}

@test "libstdc++: exceptions are thrown and caught" {
	command -v g++ >/dev/null || skip 'no C++ compiler'
	printf '%s\n' 'int main(int n, char **) { int caught = 0;' \
		'for (int i = 0; i < 25; i++) try { throw i; } catch (int) { caught++; }' \
		'return caught != 25 || n > 1; }' >throws.cc
	g++ -o throws throws.cc
	record_marks -e 'usdt:libstdc++:libstdcxx:*' -- ./throws
	[ "$(count libstdc++.so.6:libstdcxx:throw)" -eq 25 ]
	[ "$(count libstdc++.so.6:libstdcxx:catch)" -eq 25 ]
}
