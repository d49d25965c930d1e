#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The project's own tools: each must catch what it is for.

setup() {
	tools=$BATS_TEST_DIRNAME/../../tools
	cd "$BATS_TEST_TMPDIR"
}

add_source() { # PATH [LINE...]: with a licence line first
	mkdir -p "$(dirname "$1")"
	{
		echo '// SPDX-License-Identifier: GPL-2.0-or-later'
		printf '%s\n' "${@:2}"
	} >"$1"
}

add_test() { # NAME LINE...: a test program that prints those lines
	{
		echo '#!/bin/bash'
		printf '%s\n' "${@:2}"
	} >"$1"
	chmod +x "$1"
}

@test "lint-tree: includes that point backwards pass" {
	add_source src/base/x.h
	add_source src/ring/a.c '#include "base/x.h"' '#include "ring/a.h"' '#include <stdio.h>'
	add_source src/ring/in/b.c '#include "ring/a.h"' '#include "ring/in/b.h"'
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "lint-tree: an include that points forwards is an error" {
	add_source src/ring/x.h
	add_source src/ring/in/y.h
	add_source src/base/a.c '' '#include "ring/x.h"'
	add_source src/ring/b.c '#include "ring/in/y.h"'
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = "lint: src/base/a.c:3: base/ may not include ring/, which sorts after it" ]
	[ "${lines[1]}" = "lint: src/ring/b.c:2: ring/ may not include ring/in/, which sorts after it" ]
}

@test "lint-tree: an include out of src, or without its folder, is an error" {
	mkdir -p app
	add_source src/base/a.c '#include "app/x.h"' '#  include "y.h"'
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = 'lint: src/base/a.c:2: "app/x.h" is not in src/' ]
	[ "${lines[1]}" = 'lint: src/base/a.c:3: write "base/y.h": includes name the folder' ]
}

@test "lint-tree: a comment whose text follows its '*' is an error; a dereference is none" {
	add_source src/base/a.c '/*' ' * Text.' ' *More text.' ' */' $'\t *at = 0;'
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 1 ]
	[ "$output" = "lint: src/base/a.c:4: no space after the '*' of a comment" ]
}

@test "lint-tree: equal basenames are an error; a header and its .c file are one" {
	add_source src/base/a.c
	add_source src/base/a.h
	add_source tests/a.c
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 0 ]
	add_source app/cli/a.h
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 1 ]
	[ "$output" = "lint: src/base/a: its name is taken by app/cli/a" ]
}

@test "lint-tree: a folder of more than 40 files is an error" {
	local i
	for i in {1..40}; do
		add_source "tests/unit/$i.c"
	done
	add_source tests/unit/in/1.c
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 0 ]
	touch tests/unit/41.txt
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 1 ]
	[ "$output" = "lint: tests/unit: 41 files, over 40" ]
}

@test "lint-tree: a long file and one without a licence are errors" {
	add_source tests/a.c $(seq 599)
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 0 ]
	add_source tests/a.c $(seq 600)
	echo 'int x;' >tests/b.c
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = "lint: tests/a.c: 601 lines, over 600" ]
	[[ ${lines[1]} == "lint: tests/b.c:1: no SPDX-"* ]]
}

@test "lint-tree: a stray file in the root is an error" {
	touch COPYING Makefile .hidden small
	run "$tools/lint-tree.sh" .
	[ "$status" -eq 1 ]
	[ "$output" = "lint: small: does not belong in the root" ]
}

@test "lint-commits: subjects are short and name their part, and bodies are there" {
	git init -q .
	commit() { # MESSAGE
		git -c user.name=x -c user.email=x@x commit -q --allow-empty -m "$1"
	}
	commit "first"
	since=$(git rev-parse HEAD)
	commit $'view: print the time of day\n\nIt was missing.'
	commit "$(printf 'a: %069d\n\nA subject of 72 characters.' 0)"
	run "$tools/lint-commits.sh" "$since"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	commit "$(printf 'a: %070d\n\nA subject of 73.' 0)"
	commit $'without a part\n\nA body.'
	commit $'a: full stop.\n\nA body.'
	commit "a: no body"
	run "$tools/lint-commits.sh" "$since"
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 4 ]
	[[ ${lines[0]} == "lint: commit "*": no body: a: no body" ]]
	[[ ${lines[1]} == *": subject with a full stop: a: full stop." ]]
	[[ ${lines[2]} == *": subject without \"part: \": without a part" ]]
	[[ ${lines[3]} == *": subject of 73 characters, more than 72: a: 00"* ]]
	run "$tools/lint-commits.sh" 0000000
	[ "$status" -eq 0 ]
}

@test "run-tests: results are added up, skips named" {
	add_test a 'echo 1..2; echo "ok 1 - x"; echo "ok 2 - y"'
	add_test b 'sleep 0.3; echo 1..2; echo "ok 1 - x"; echo "ok 2 - y # SKIP no kprobes"'
	add_test c 'echo 1..2; echo "# no BPF"; echo "not ok 1 # SKIP x"; echo "ok 2 - y"'
	run "$tools/run-tests.sh" ./a ./b ./c
	[ "$status" -eq 0 ]
	[ "${lines[-3]}" = "skipped ./b: 2 - y # SKIP no kprobes" ]
	[ "${lines[-2]}" = "skipped ./c: 1 # SKIP x: no BPF" ]
	[ "${lines[-1]}" = "4 passed, 0 failed, 2 skipped" ]
}

@test "run-tests: a failed test fails the run" {
	add_test a 'echo 1..2; echo "ok 1 - x"; echo "not ok 2 - y # SKIP not"; exit 1'
	run "$tools/run-tests.sh" ./a
	[ "$status" -eq 1 ]
	[ "${lines[-2]}" = "failed ./a: 2 - y # SKIP not" ]
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "run-tests: a program that stops early, dies or hangs fails the run" {
	add_test early 'echo 1..2; echo "ok 1 - x"'
	add_test dies 'echo 1..1; echo "ok 1 - x"; exit 3'
	add_test silent 'true'
	add_test hangs 'echo 1..1; sleep 30'
	for a in early dies silent hangs; do
		TEST_TIMEOUT=1 run "$tools/run-tests.sh" ./$a
		[ "$status" -eq 1 ]
		[[ ${lines[-1]} == *" passed, 1 failed, 0 skipped" ]]
	done
	[ "${lines[-3]}" = "not ok ./hangs: ended after 1 s" ]
	[ "${lines[-2]}" = "failed ./hangs: ended after 1 s" ]
}

@test "run-tests: tests of the whole machine run last, one per folder at a time, one benchmark" {
	mkdir -p live flight also/live bench
	add_test slow 'sleep 0.5; touch slow_ended; echo 1..1; echo "ok 1 - x"'
	most=$(nproc)
	[ "$most" -ge 2 ] || most=2
	meets() { # FOLDER NAME: asserts that one of a folder runs at a time, at most two at once
		add_test "$1/$2" "echo 1..1; [ -e slow_ended ] && mkdir $1/runs && touch $1/ran && sleep 0.1 &&
			until [ \"\$(find . -name ran | wc -l)\" -ge 2 ]; do sleep 0.01; done &&
			[ \"\$(find . -name runs | wc -l)\" -le $most ] && rmdir $1/runs && echo 'ok 1 - x'"
	}
	for a in a b; do
		meets live $a
		meets flight $a
		meets also/live $a
		add_test bench/$a "echo 1..1; [ ! -e live/ran ] && mkdir bench/runs && sleep 0.1 &&
			rmdir bench/runs && touch bench/$a-ran && echo 'ok 1 - x'"
	done
	TEST_TIMEOUT=20 run "$tools/run-tests.sh" ./{live,flight,also/live,bench}/a ./slow ./{live,flight,also/live,bench}/b
	[ "$status" -eq 0 ]
	[ "${lines[-1]}" = "9 passed, 0 failed, 0 skipped" ]
	[ -e bench/b-ran ]
}

@test "run-tests: a run without a test fails" {
	run "$tools/run-tests.sh"
	[ "$status" -eq 1 ]
	[ "${lines[-1]}" = "0 passed, 0 failed, 0 skipped" ]
}

@test "fuzz: the number of inputs is printed, and a failing fuzzer's messages" {
	add_test good 'echo "$TMPDIR" "$@" >args' 'echo stat::number_of_executed_units: 1234'
	add_test bad 'echo why' 'echo stat::number_of_executed_units: 7' 'exit 77'
	run "$tools/fuzz.sh" 3 1 ./good
	[ "$status" -eq 0 ]
	[ "$output" = "  FUZZ   ./good: 1234 inputs in 3 s" ]
	grep -F -- '-max_total_time=3 -seed=1 ' args
	grep -F -- ' -artifact_prefix=./good.found- ' args
	grep ' \./good\.corpus$' args
	[ ! -e "$(cut -d ' ' -f 1 args)" ]
	run "$tools/fuzz.sh" 3 1 ./good ./bad ./good
	[ "$status" -eq 1 ]
	[ "${lines[1]}" = why ]
	[ "${lines[3]}" = "fuzz: ./bad failed after 7 inputs (exit status 77)" ]
	[ "${#lines[@]}" -eq 4 ]
}

@test "fuzz: a fuzzer without inputs has failed" {
	add_test idle 'exit 0'
	run "$tools/fuzz.sh" 1 0 ./idle
	[ "$status" -eq 1 ]
	[ "$output" = "fuzz: ./idle failed after 0 inputs (exit status 0)" ]
}
