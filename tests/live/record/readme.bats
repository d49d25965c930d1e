#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The README's commands run as written.

bats_require_minimum_version 1.5.0

setup() {
	tree=$(realpath "$BATS_TEST_DIRNAME/../../..")
	cd "$BATS_TEST_TMPDIR"
	"$KTRACE" record -e sched_process_exit true >why 2>&1 || skip "$(<why)"
}

# Prints the commands of a section without comments.
print_commands() { # SECTION
	awk -v section="## $1" '/^## / { inside = $0 == section }
		/^```/ { code = $0 == "```sh"; next }
		inside && code && NF' "$tree/README.md" | sed 's/  *# .*//'
}

# Runs commands where there are a Makefile, a server, and no other flight recorder.
run_commands() { # SECTION
	print_commands "$1" >commands
	[ "$(wc -l <commands)" -ge 3 ]
	printf 'all:\n\t@sh -c "cat /etc/hosts /nowhere >copy 2>/dev/null || true"\n' >Makefile
	mkdir -p bin
	ln -sf "$KTRACE" bin/ktrace
	cp "$BASH" bin/myserver
	mkfifo nothing
	PATH=$PWD/bin:$PATH timeout 100 unshare -m bash -euo pipefail -c '
		# Loading the programs takes seconds on a busy machine: work goes on until it is seen.
		make_until_ended() {
			until [ -e ended ]; do sleep 0.5; make; done
		}
		serve_until_shown() {
			exec myserver -c "until [ -s shown ]; do read -rt 0.1 <>nothing || :; done"
		}
		while umount -q /sys/fs/bpf; do :; done
		while read -r command; do
			echo "== $command"
			pid=
			rm -f ended shown
			case $command in
			*myserver*)
				serve_until_shown & pid=$!
				until pidof -s myserver >found; do sleep 0.1; done ;;
			*"--on "*) make_until_ended & pid=$! ;;
			"ktrace trace "*) command="timeout --preserve-status -s INT 2 $command" ;;
			esac
			eval "$command" </dev/null >shown 2>&1 || { cat shown; exit 1; }
			touch ended
			[[ ! $pid ]] || wait "$pid"
		done <commands
		ktrace stop calls 2>/dev/null || true' >log 2>&1 || { cat log; false; }
	[ "$(grep -c '^== ' log)" -eq "$(wc -l <commands)" ]
}

@test "the commands of its quick start" {
	run_commands "Quick start"
}

@test "the commands by task" {
	"$KTRACE" record -e sched_switch true
	run_commands "By task"
}

@test "the targets of make" {
	print_commands Install >commands
	[ "$(wc -l <commands)" -eq 3 ]
	while read -r command; do
		[[ $command == "make "* ]]
		(cd "$tree" && $command -n >/dev/null)
	done <commands
}

@test "it is short and shows something early" {
	[ "$(wc -l <"$tree/README.md")" -le 130 ]
	[ "$(grep -n '^# ktrace strace' "$tree/README.md" | head -n 1 | cut -d: -f1)" -lt 30 ]
}
