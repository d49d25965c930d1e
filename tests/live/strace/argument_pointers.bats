#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Arguments that are pointers depending on another argument. strace is the witness.

bats_require_minimum_version 1.5.0
load ../recording

CALLS='require "syscall.ph"; sub c { my ($n, @a) = @_; syscall $n, @a } open F, "+>", "locked"; $f = fileno F;
	sub lock_of { pack "ssx4qqlx4", @_ } $b = "\0" x 256; $name = "fred\0"; $long = "many words\0"; pipe R, W;
	unless ($p = fork) { $l = lock_of(1, 0, 3, 4, 0); c(&SYS_fcntl, $f, 6, $l); print W "x\n"; close W; sleep 9; exit }
	close W; <R>; $l = lock_of(0, 0, 0, 0, 0); c(&SYS_fcntl, $f, 5, $l); c(&SYS_fcntl, $f, 6, $l); c(&SYS_fcntl, $f, 36, $l);
	$l = lock_of(0, 2, -7, 5, 0); c(&SYS_fcntl, $f, 37, $l); c(&SYS_fcntl, $f, 7, 16); c(&SYS_fcntl, $f, 5, 0);
	c(&SYS_fcntl, -1, 38, $l); c(&SYS_fcntl, $f, 99, $l);
	c(&SYS_prctl, 15, $name); c(&SYS_prctl, 16, $b); c(&SYS_prctl, 15, 16); c(&SYS_prctl, 16, 16); c(&SYS_prctl, 15, "\0");
	c(&SYS_prctl, 1, $name); c(&SYS_prctl, 9999, $name, $name, $name, $name); c(&SYS_prctl, 0x53564d41, 0, 0, 4096, $long);
	$m = c(&SYS_shmget, 0, 5000, 0600); c(&SYS_shmctl, $m, 2, $b); c(&SYS_shmctl, $m, 1, $b); c(&SYS_shmctl, $m, 2, 16);
	c(&SYS_shmctl, -1, 2, $b); c(&SYS_shmctl, $m, 1, 16); c(&SYS_shmctl, $m, 0, $b);
	$q = c(&SYS_msgget, 0, 0640); c(&SYS_msgctl, $q, 2, $b); c(&SYS_msgctl, $q, 1, $b); c(&SYS_msgctl, $q, 0, $b);
	kill 9, $p; wait'

# Prints each call's words and the struct members by name with their final values, omitting what
# strace abbreviates.
list_words() { # FILE
	perl -ne 's/^\d+ +// or next; /F_GETFD/ and next; /^\w+\(.*\) += / or next; s/\) += /) = /; s! /\* \w+\?\?\? \*/!!g; s/[^ ,{=]+ => //g;
		/\{/ or s/0x[0-9a-f]{9,}/ADDRESS/g; print' "$1"
}

@test "the data at such pointers is what strace prints, and nothing else is copied" {
	record -e 'syscalls:fcntl,syscalls:prctl,syscalls:shmctl,syscalls:msgctl' -f 'comm != "strace"' --strict -- \
		strace -f -v -e trace=fcntl,prctl,shmctl,msgctl -e signal=none --quiet=exit,attach -o straced perl -e "$CALLS"
	[ "$status" -eq 0 ]
	list_words straced >theirs
	"$KTRACE" print --strace >printed
	list_words printed >ours
	diff <(sed "s/{.*}/{}/" ours) <(sed "s/{.*}/{}/" theirs)

	# All members that strace prints, by name.
	paste -d'\n' theirs ours | perl -ne 'BEGIN { $/ = undef } @l = split /\n/; while (@l) { ($t, $o) = splice @l, 0, 2;
		%o = map { /(\w+)=(.*)/ ? ($1, $2) : () } split /[{}, ]+/, $o;
		for (split /[{}, ]+/, $t) { /(\w+)=([^{]+)/ or next; $n++; print "$1: $2, $o{$1}\n" unless $o{$1} eq $2 } }
		print "$n members\n"' >members
	cat members
	[ "$(grep -c ': ' members)" -eq 0 ]
	[ "$(cut -d' ' -f1 members)" -gt 50 ]
	grep -q '{l_type=F_WRLCK, l_whence=SEEK_SET, l_start=3, l_len=4, l_pid=[0-9]*}) = 0' printed

	# Nothing else is copied, wherever the number points.
	"$KTRACE" print --events --json >objects
	[ "$(jq -c 'select(.event == "sys_enter_fcntl" and .fields.cmd == 99) | .fields.__arg_val' objects)" = null ]
	[ "$(jq -c 'select(.event == "sys_enter_prctl" and (.fields.option == 1 or .fields.option == 9999)) |
		[.fields.__arg2_val, .fields.__arg5_val]' objects | sort -u)" = '[null,null]' ]
	[ "$(jq -c 'select(.event == "sys_enter_prctl" and .fields.option == 15) | .fields.__arg2_val' objects | paste -sd' ')" = \
		'"fred" null ""' ]
	babeltrace2 ktrace.out | grep -q '__arg2_val = "fred"'
}

@test "what mount and quotactl ignore is printed as an address, or not at all" {
	calls='require "syscall.ph"; my ($s, $t, $d, $from, $long, $longer) = ("kind\0", "options\0", "none-such\0", "source\0",
			"a kind with a name of more than 32 characters\0", "and longer options, with commas, too\0");
		syscall &SYS_mount, $from, $d, $s, $_, $t for 0, 1, 0x20, 0x1000, 0x2000, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 0xc0ed0000, 0xc0ed0021;
		syscall &SYS_mount, $from, $d, $long, 0, $longer;
		for my $type (0, 3) { syscall &SYS_quotactl, ($_ << 8 | $type) - 2**32, $d, -1, 0 for 0x800001, 0x800003 .. 0x800006 }
		syscall &SYS_quotactl, $_ << 8, $d, 7, 0 for 0x5801, 0x5802, 0x5805 .. 0x5808, 99'
	strace -e trace=mount,quotactl -e signal=none -qq -o straced perl -e "$calls" 3>&-
	"$KTRACE" strace -e trace=mount,quotactl -e signal=none -qq -o ours perl -e "$calls"
	normalize() {
		sed -E 's/^[0-9]+ +//; s/0x[0-9a-f]{9,}/ADDRESS/g; s/\) += /) = /; /exited with/d' "$1"
	}
	diff <(normalize straced) <(normalize ours)
	[ "$(grep -c '"source", "none-such", 0x[0-9a-f]*, MS_BIND, 0x[0-9a-f]*)' ours)" -eq 1 ]
	[ "$(wc -l <straced)" -eq 29 ]
}
