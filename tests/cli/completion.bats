#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion, in an interactive bash that is sent keys and prints the resulting line.

setup() {
	tree=$(realpath "$BATS_TEST_DIRNAME/../..")
	cd "$BATS_TEST_TMPDIR"
	mkdir here
	cat >sourced <<-END
		. '$tree/completion/ktrace.bash'
	END
	# As installed: found by the program's name on first completion.
	mkdir -p user/completions
	ln -s "$tree/completion/ktrace.bash" user/completions/ktrace
	cat >loaded <<-END
		BASH_COMPLETION_USER_DIR=$PWD/user
		. /usr/share/bash-completion/bash_completion
	END
	startup=sourced
}

# Prints the line after the keys: \t completes, \e* inserts all candidates.
type_keys() { # KEYS
	cat "$startup" - >rc <<-END
		bind -x '"\\C-g": printf "%s|" "\$READLINE_LINE" >"$PWD/line"'
		cd here
	END
	: >line
	printf '%b\a\x05\x15exit\n' "$1" |
		PATH=$(dirname "$KTRACE"):$PATH TERM=dumb INPUTRC=/dev/null HISTFILE='' \
			setsid -w timeout 20 bash --noprofile --rcfile rc -i >shown 2>&1
	cat line
}

assert_line() { # KEYS LINE
	local line
	line=$(type_keys "$1")
	[ "$line" = "$2|" ] || { echo "$1 becomes: $line" && cat shown && false; }
}

# Prints the candidates where the keys end. Must not run concurrently: runs share files.
list_candidates() { # KEYS
	local line
	line=$(type_keys "$1\e*")
	line=${line%|}
	line=${line#"${1%"${1##* }"}"}
	tr ' ' '\n' <<<"${line% }" | sort
}

@test "commands are those of the help" {
	"$KTRACE" --help | awk '/^  [a-z]/ { print $1 }' | sort >message
	[ "$(wc -l <message)" -ge 6 ]
	list_candidates 'ktrace ' | diff message -
	list_candidates 'ktrace help ' | diff message -
	assert_line 'ktrace rec\t' 'ktrace record '
	assert_line 'ktrace --v\t' 'ktrace --version '
	assert_line "$KTRACE rec\\t" "$KTRACE record "
}

@test "options are those of each command's help" {
	for command in $("$KTRACE" --help | awk '/^  [a-z]/ { print $1 }'); do
		"$KTRACE" "$command" --help |
			sed -nE 's/^ {2,6}(-[a-zA-Z])?(, )?(--[a-z-]+)?((\[=| ).*|$)/\1 \3/p' | tr ' ' '\n' |
			cat - <(echo --help) | grep . | sort >message
		list_candidates "ktrace $command -" | diff message -
	done
	list_candidates 'ktrace record -' >message
	list_candidates 'ktrace record ' | diff message -
	assert_line 'ktrace print --j\t' 'ktrace print --json '
	list_candidates 'ktrace start -' >message
	list_candidates 'ktrace start ' | diff message -
	assert_line 'ktrace record -C 0 --out\t' 'ktrace record -C 0 --output '
}

@test "events are completed by system, then by name" {
	"$KTRACE" list | sed 's/:.*/:/' | sort -u >systems
	[ "$(wc -l <systems)" -ge 10 ]
	list_candidates 'ktrace list ' | diff systems -
	list_candidates 'ktrace record -e ' | diff systems -
	list_candidates "ktrace list '" | sed "s/'//" | diff systems -
	assert_line 'ktrace record -e sched:\e*' \
		"ktrace record -e sched:$("$KTRACE" list 'sched:*' | sed 's/.*://' | xargs) "
	assert_line 'ktrace record -e sched:sched_pi\t' 'ktrace record -e sched:sched_pi_setprio '
	assert_line 'ktrace record -e sched_pi\t' 'ktrace record -e sched_pi_setprio '
	assert_line 'ktrace list raw_sys\t' 'ktrace list raw_syscalls:'
	assert_line 'ktrace list raw_syscalls:\e*' 'ktrace list raw_syscalls:sys_enter sys_exit '
	assert_line 'ktrace list nosuch\t' 'ktrace list nosuch'
	assert_line 'ktrace record -e %fi\t' 'ktrace record -e %file '
	assert_line 'ktrace list sched:x,%ne\t' 'ktrace list sched:x,%network '
}

@test "events are completed in lists, in quotes and in every form of the option" {
	assert_line 'ktrace list irq:x,sched:sched_pi\t' 'ktrace list irq:x,sched:sched_pi_setprio '
	assert_line 'ktrace list "sched:sched_pi\t' 'ktrace list "sched:sched_pi_setprio" '
	assert_line "ktrace list 'irq:*,sched_pi\\t" "ktrace list 'irq:*,sched_pi_setprio' "
	assert_line 'ktrace record --event sched:sched_pi\t' 'ktrace record --event sched:sched_pi_setprio '
	assert_line 'ktrace record --event=sched:sched_pi\t' 'ktrace record --event=sched:sched_pi_setprio '
	assert_line 'ktrace start flight -e sched:sched_pi\t' 'ktrace start flight -e sched:sched_pi_setprio '
	assert_line 'ktrace record -esched:sched_pi\t' 'ktrace record -esched:sched_pi_setprio '
	assert_line 'ktrace record -ae sched:sched_pi\t' 'ktrace record -ae sched:sched_pi_setprio '
	assert_line 'ktrace record -e irq:* -f "irq < 3" -e sched_pi\t' \
		'ktrace record -e irq:* -f "irq < 3" -e sched_pi_setprio '
}

@test "a filter's fields are those of the events before it" {
	list_candidates "ktrace record -e x -e 'sched:sched_switch' -f " | diff <(
		printf '%s\n' comm cpu pid tid {prev,next}_{comm,pid,prio} prev_state | sort) -
	assert_line 'ktrace record -e sched_switch -f "comm != % && next_pr\t' \
		'ktrace record -e sched_switch -f "comm != % && next_prio '
	assert_line "ktrace record --event=sched:sched_switch -f '!next_pr\\t" \
		"ktrace record --event=sched:sched_switch -f '!next_prio "
	assert_line 'ktrace record -e sched_switch --filter=!next_pr\t' \
		'ktrace record -e sched_switch --filter=!next_prio'
}

@test "a trigger is completed as events, and after 'if' as a filter" {
	assert_line 'ktrace start --freeze-on sched:sched_pi\t' \
		'ktrace start --freeze-on sched:sched_pi_setprio '
	assert_line "ktrace start --freeze-on 'sched_switch \t" \
		"ktrace start --freeze-on 'sched_switch if' "
	assert_line 'ktrace start --freeze-on="sched_switch if prev_pid == 1 && next_pr\t' \
		'ktrace start --freeze-on="sched_switch if prev_pid == 1 && next_prio '
	assert_line "ktrace snapshot --on 'sched_switch \t" \
		"ktrace snapshot --on 'sched_switch if' "
}

@test "directories, processes and CPUs" {
	mkdir -p here/ktrace.out here/some/trace
	touch here/trace.txt
	assert_line 'ktrace print \e*' 'ktrace print ktrace.out some '
	assert_line 'ktrace report --tasks som\t' 'ktrace report --tasks some/'
	assert_line 'ktrace report some/\t' 'ktrace report some/trace/'
	assert_line 'ktrace record -o kt\t' 'ktrace record -o ktrace.out/'
	assert_line 'ktrace record --output=kt\t' 'ktrace record --output=ktrace.out/'
	assert_line 'ktrace fs so\t' 'ktrace fs some/'
	assert_line 'ktrace print >tr\t' 'ktrace print >trace.txt '
	list_candidates 'ktrace record -p ' | grep -x $$
	assert_line 'ktrace record -C 0\t' 'ktrace record -C 0 '
	assert_line 'ktrace record -C 7,0\t' 'ktrace record -C 7,0 '
	assert_line 'ktrace record -b \t' 'ktrace record -b '
}

@test "the recorded command is completed as a command of its own" {
	touch here/words.txt
	for startup in sourced loaded; do
		assert_line 'ktrace record nproc\t' 'ktrace record nproc '
		assert_line 'ktrace record -a -- nproc\t' 'ktrace record -a -- nproc '
		assert_line 'ktrace record -e sched_switch -f "pid > 1" sort wor\t' \
			'ktrace record -e sched_switch -f "pid > 1" sort words.txt '
		assert_line 'ktrace record -eirq:x sort wor\t' 'ktrace record -eirq:x sort words.txt '
	done
	assert_line 'ktrace record -e irq:x sort --reve\t' 'ktrace record -e irq:x sort --reverse '
	assert_line 'sudo ktrace rec\t' 'sudo ktrace record '
}

@test "cursor positions and unknown words do not confuse it" {
	assert_line 'ktrace list sched_pi x\x02\x02\t' 'ktrace list sched_pi_setprio x'
	assert_line 'true; FOO=1 ktrace rec\t' 'true; FOO=1 ktrace record '
	assert_line 'ktrace nosuch x\t' 'ktrace nosuch x'
	assert_line 'ktrace version x\t' 'ktrace version x'
	assert_line 'ktrace list --json=x\t' 'ktrace list --json=x'
	assert_line 'ktrace record --nosuch\t' 'ktrace record --nosuch'
}
