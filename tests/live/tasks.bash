# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tasks with names, and whether a trace knows the names.

# Needs the kernel's own PIDs, as ktrace and ftrace record them.
skip_in_a_container() {
	[ "$(readlink /proc/self/ns/pid)" = "pid:[4026531836]" ] ||
		skip "processes have other numbers here: this is not the first pid namespace"
}

# Runs tasks of every kind: programs, one with a long name, plain forks, renamed tasks.
export WORK='printf "a\tb\033" >/proc/self/comm; ./kt_witness; ./a_name_of_many_letters
	(./kt_witness; :) & (: /dev/null) & wait
	bash -c "./kt_witness; echo renamed >/proc/\$\$/comm; ./kt_witness; :"; echo again >/proc/self/comm; :'

# Lists events whose task has another name than in the kernel's events, or none. sched_switch names
# the running task, sched_process_exit the ending one; a new task has its parent's name, except for
# kthreadd's, which names kernel threads before they run. A task that was ending when recording
# began has no name: it leaves a CPU for good, and its exit is not in the trace.
list_wrong_names() { # DIR
	"$KTRACE" print --events --json "$1" | jq -cs '
		def tids(hits): map(select(hits) | .tid) | unique;
		(tids(.fields.prev_state | . == 16 or . == 32) - tids(.event == "sched_process_exit")) as $out |
		.[] | select(.tid != 0 and (.tid != 2 or .fields.clone_flags == null)) |
		select(.comm != (.fields.prev_comm // .fields.comm)) |
		select(.comm != null or (.tid | IN($out[]) | not)) | [.time, .tid, .comm, .fields]'
}

# Lists the names, each once.
list_names() { # DIR
	"$KTRACE" print --events --json "$1" | jq -r .comm | sort -u
}

run_tasks() {
	cp kt_witness a_name_of_many_letters
}
