# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tasks with names, and whether a trace has them.

# Where processes have the kernel's own numbers, as ktrace and ftrace record them.
skip_in_a_container() {
	[ "$(readlink /proc/self/ns/pid)" = "pid:[4026531836]" ] ||
		skip "processes have other numbers here: this is not the first pid namespace"
}

# Tasks of every kind: programs, one with a long name; forks that are none; new names.
export WORK='printf "a\tb\033" >/proc/self/comm; ./kt_witness; ./a_name_of_many_letters
	(./kt_witness; :) & (: /dev/null) & wait
	bash -c "./kt_witness; echo renamed >/proc/\$\$/comm; ./kt_witness; :"; echo again >/proc/self/comm; :'

# Hits whose task has another name than the kernel gives it, or none: the one that leaves a CPU is
# the one that runs, and so is the one that ends; one that begins has the name of who makes it, unless
# that is kthreadd, who names threads of the kernel before. None has who was on his way out before
# there was anybody to tell it: he leaves a CPU for good, and his end is not there.
wrong_names() { # DIR
	"$KTRACE" print --json "$1" | jq -cs '
		def tids(hits): map(select(hits) | .tid) | unique;
		(tids(.fields.prev_state | . == 16 or . == 32) - tids(.event == "sched_process_exit")) as $out |
		.[] | select(.tid != 0 and (.tid != 2 or .fields.clone_flags == null)) |
		select(.comm != (.fields.prev_comm // .fields.comm)) |
		select(.comm != null or (.tid | IN($out[]) | not)) | [.time, .tid, .comm, .fields]'
}

# All that there are, once each.
names() { # DIR
	"$KTRACE" print --json "$1" | jq -r .comm | sort -u
}

prepare() {
	cp kt_witness a_name_of_many_letters
}
