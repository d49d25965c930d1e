#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion, by an interactive bash that gets keys and tells what has become of the line.

setup() {
	tree=$(realpath "$BATS_TEST_DIRNAME/../..")
	cd "$BATS_TEST_TMPDIR"
	mkdir here
	cat >sourced <<-END
		. '$tree/completion/ktrace.bash'
	END
	# As the package does it: found by the program's name when that is completed first.
	mkdir -p user/completions
	ln -s "$tree/completion/ktrace.bash" user/completions/ktrace
	cat >loaded <<-END
		BASH_COMPLETION_USER_DIR=$PWD/user
		. /usr/share/bash-completion/bash_completion
	END
	startup=sourced
}

# The line after the keys: \t completes what stands there, \e* puts in everything that could.
line_by() { # KEYS
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

becomes() { # KEYS LINE
	local line
	line=$(line_by "$1")
	[ "$line" = "$2|" ] || { echo "$1 becomes: $line" && cat shown && false; }
}

# What could stand where the keys end. One at a time: they share files.
offered() { # KEYS
	local line
	line=$(line_by "$1\e*")
	line=${line%|}
	line=${line#"${1%"${1##* }"}"}
	tr ' ' '\n' <<<"${line% }" | sort
}

@test "commands are those of the help" {
	"$KTRACE" --help | awk '/^  [a-z]/ { print $1 }' | sort >said
	[ "$(wc -l <said)" -ge 6 ]
	offered 'ktrace ' | diff said -
	offered 'ktrace help ' | diff said -
	becomes 'ktrace rec\t' 'ktrace record '
	becomes 'ktrace --v\t' 'ktrace --version '
	becomes "$KTRACE rec\\t" "$KTRACE record "
}

@test "options are those of each command's help" {
	for command in $("$KTRACE" --help | awk '/^  [a-z]/ { print $1 }'); do
		"$KTRACE" "$command" --help |
			sed -nE 's/^ {2,6}(-[a-zA-Z])?(, )?(--[a-z-]+)?( .*|$)/\1 \3/p' | tr ' ' '\n' |
			cat - <(echo --help) | grep . | sort >said
		offered "ktrace $command -" | diff said -
	done
	offered 'ktrace record -' >said
	offered 'ktrace record ' | diff said -
	becomes 'ktrace print --j\t' 'ktrace print --json '
	offered 'ktrace start -' >said
	offered 'ktrace start ' | diff said -
	becomes 'ktrace record -C 0 --out\t' 'ktrace record -C 0 --output '
}

@test "events go by systems, and by their names" {
	"$KTRACE" list | sed 's/:.*/:/' | sort -u >systems
	[ "$(wc -l <systems)" -ge 10 ]
	offered 'ktrace list ' | diff systems -
	offered 'ktrace record -e ' | diff systems -
	offered "ktrace list '" | sed "s/'//" | diff systems -
	becomes 'ktrace record -e sched:\e*' \
		"ktrace record -e sched:$("$KTRACE" list 'sched:*' | sed 's/.*://' | xargs) "
	becomes 'ktrace record -e sched:sched_pi\t' 'ktrace record -e sched:sched_pi_setprio '
	becomes 'ktrace record -e sched_pi\t' 'ktrace record -e sched_pi_setprio '
	becomes 'ktrace list raw_sys\t' 'ktrace list raw_syscalls:'
	becomes 'ktrace list raw_syscalls:\e*' 'ktrace list raw_syscalls:sys_enter sys_exit '
	becomes 'ktrace list nosuch\t' 'ktrace list nosuch'
	becomes 'ktrace record -e %fi\t' 'ktrace record -e %file '
	becomes 'ktrace list sched:x,%ne\t' 'ktrace list sched:x,%network '
}

@test "events are completed in lists, in quotes and behind every form of the option" {
	becomes 'ktrace list irq:x,sched:sched_pi\t' 'ktrace list irq:x,sched:sched_pi_setprio '
	becomes 'ktrace list "sched:sched_pi\t' 'ktrace list "sched:sched_pi_setprio" '
	becomes "ktrace list 'irq:*,sched_pi\\t" "ktrace list 'irq:*,sched_pi_setprio' "
	becomes 'ktrace record --event sched:sched_pi\t' 'ktrace record --event sched:sched_pi_setprio '
	becomes 'ktrace record --event=sched:sched_pi\t' 'ktrace record --event=sched:sched_pi_setprio '
	becomes 'ktrace start flight -e sched:sched_pi\t' 'ktrace start flight -e sched:sched_pi_setprio '
	becomes 'ktrace record -esched:sched_pi\t' 'ktrace record -esched:sched_pi_setprio '
	becomes 'ktrace record -ae sched:sched_pi\t' 'ktrace record -ae sched:sched_pi_setprio '
	becomes 'ktrace record -e irq:* -f "irq < 3" -e sched_pi\t' \
		'ktrace record -e irq:* -f "irq < 3" -e sched_pi_setprio '
}

@test "a filter's fields are those of the events before it" {
	offered "ktrace record -e x -e 'sched:sched_switch' -f " | diff <(
		printf '%s\n' comm cpu pid tid {prev,next}_{comm,pid,prio} prev_state | sort) -
	becomes 'ktrace record -e sched_switch -f "comm != % && next_pr\t' \
		'ktrace record -e sched_switch -f "comm != % && next_prio '
	becomes "ktrace record --event=sched:sched_switch -f '!next_pr\\t" \
		"ktrace record --event=sched:sched_switch -f '!next_prio "
	becomes 'ktrace record -e sched_switch --filter=!next_pr\t' \
		'ktrace record -e sched_switch --filter=!next_prio'
}

@test "a trigger is events, and behind 'if' a filter of their fields" {
	becomes 'ktrace start --freeze-on sched:sched_pi\t' \
		'ktrace start --freeze-on sched:sched_pi_setprio '
	becomes "ktrace start --freeze-on 'sched_switch \t" \
		"ktrace start --freeze-on 'sched_switch if' "
	becomes 'ktrace start --freeze-on="sched_switch if prev_pid == 1 && next_pr\t' \
		'ktrace start --freeze-on="sched_switch if prev_pid == 1 && next_prio '
	becomes "ktrace snapshot --on 'sched_switch \t" \
		"ktrace snapshot --on 'sched_switch if' "
}

@test "directories, processes and CPUs" {
	mkdir -p here/ktrace.out here/some/trace
	touch here/trace.txt
	becomes 'ktrace print \e*' 'ktrace print ktrace.out some '
	becomes 'ktrace report --tasks som\t' 'ktrace report --tasks some/'
	becomes 'ktrace report some/\t' 'ktrace report some/trace/'
	becomes 'ktrace record -o kt\t' 'ktrace record -o ktrace.out/'
	becomes 'ktrace record --output=kt\t' 'ktrace record --output=ktrace.out/'
	becomes 'ktrace fs so\t' 'ktrace fs some/'
	becomes 'ktrace print >tr\t' 'ktrace print >trace.txt '
	offered 'ktrace record -p ' | grep -x $$
	becomes 'ktrace record -C 0\t' 'ktrace record -C 0 '
	becomes 'ktrace record -C 7,0\t' 'ktrace record -C 7,0 '
	becomes 'ktrace record -b \t' 'ktrace record -b '
}

@test "what is recorded is completed as a command of its own" {
	touch here/words.txt
	for startup in sourced loaded; do
		becomes 'ktrace record nproc\t' 'ktrace record nproc '
		becomes 'ktrace record -a -- nproc\t' 'ktrace record -a -- nproc '
		becomes 'ktrace record -e sched_switch -f "pid > 1" sort wor\t' \
			'ktrace record -e sched_switch -f "pid > 1" sort words.txt '
		becomes 'ktrace record -eirq:x sort wor\t' 'ktrace record -eirq:x sort words.txt '
	done
	becomes 'ktrace record -e irq:x sort --reve\t' 'ktrace record -e irq:x sort --reverse '
	becomes 'sudo ktrace rec\t' 'sudo ktrace record '
}

@test "it is not confused by where the cursor is, nor by what it does not know" {
	becomes 'ktrace list sched_pi x\x02\x02\t' 'ktrace list sched_pi_setprio x'
	becomes 'true; FOO=1 ktrace rec\t' 'true; FOO=1 ktrace record '
	becomes 'ktrace nosuch x\t' 'ktrace nosuch x'
	becomes 'ktrace version x\t' 'ktrace version x'
	becomes 'ktrace list --json=x\t' 'ktrace list --json=x'
	becomes 'ktrace record --nosuch\t' 'ktrace record --nosuch'
}
