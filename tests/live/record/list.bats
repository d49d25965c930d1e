#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace list, compared with the kernel's own files, which find and awk read in a private mount.

bats_require_minimum_version 1.5.0

setup() {
	export ROOT=$BATS_TEST_TMPDIR/tracefs
	mkdir "$ROOT"
	unshare -m mount -t tracefs nodev "$ROOT" 2>"$BATS_TEST_TMPDIR/why" ||
		skip "tracefs cannot be mounted: $(<"$BATS_TEST_TMPDIR/why")"
}

# Runs a shell line with tracefs mounted at $ROOT, for this line only.
with_tracefs() {
	unshare -m bash -c 'mount -t tracefs nodev "$ROOT" && cd "$ROOT" && '"$1"
}

# The same with tracefs mounted nowhere.
without_tracefs() {
	unshare -m bash -c 'umount -a -t tracefs,debugfs; ! grep -q " tracefs " /proc/self/mounts && '"$1"
}

@test "names: every directory with a format, except ftrace's own" {
	with_tracefs 'ls -d events/*/*/format' | awk -F/ '$2 != "ftrace" { print $2 ":" $3 }' |
		LC_ALL=C sort >"$BATS_TEST_TMPDIR/witness"
	with_tracefs '"$KTRACE" list' | LC_ALL=C sort >"$BATS_TEST_TMPDIR/message"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/message")" -gt 100 ]
	diff "$BATS_TEST_TMPDIR/witness" "$BATS_TEST_TMPDIR/message"
}

# Blanks after a * mean nothing, and libtraceevent adds its own.
join_stars() {
	sed 's/ *\* */*/g' | LC_ALL=C sort
}

# Arguments of system calls have the size of their types, not that of the format files
# (live/syscalls). Pointed-to data is ktrace's, and in newer kernels also the kernel's.
@test "--json -v: every field with type, offset, size and sign" {
	with_tracefs 'cat $(ls events/*/*/format | grep -v ^events/ftrace/)' | awk '
		/^name: / { event = $2 }
		/^ID: / { id = $2; common = 1 }
		/^$/ { common = 0 }
		/^\tfield:/ && !common {
			decl = offset = size = sign = $0
			sub(/^\tfield:/, "", decl); sub(/;.*/, "", decl)
			sub(/.*offset:/, "", offset); sub(/;.*/, "", offset)
			sub(/.*size:/, "", size); sub(/;.*/, "", size)
			sub(/.*signed:/, "", sign); sub(/;.*/, "", sign)
			dims = ""
			if (match(decl, /\[[^ ]*\]$/)) {
				dims = substr(decl, RSTART)
				decl = substr(decl, 1, RSTART - 1)
			}
			match(decl, /[A-Za-z0-9_]+$/)
			name = substr(decl, RSTART)
			type = substr(decl, 1, RSTART - 1)
			sub(/ $/, "", type)
			if (event ~ /^sys_enter_/ && name ~ /^__.*_val$/)
				next
			if (event ~ /^sys_(enter|exit)_/ && name != "__syscall_nr")
				size = sign = "-"
			else
				sign = sign == 1 ? "true" : "false"
			print id, event, name, type dims, offset, size, sign
		}' | join_stars >"$BATS_TEST_TMPDIR/witness"
	with_tracefs '"$KTRACE" list -v --json' | jq -r '
		(.system == "syscalls") as $call | (.id | tostring) + " " + .event + " " + (.fields[] |
		select(.offset) | "\(.name) \(.type) \(.offset) " +
		if $call and .name != "__syscall_nr" then "- -" else "\(.size) \(.signed)" end)' |
		join_stars >"$BATS_TEST_TMPDIR/message"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/message")" -gt 500 ]
	diff "$BATS_TEST_TMPDIR/witness" "$BATS_TEST_TMPDIR/message"
}

@test "extra fields are pointed-to data of calls, and a few more" {
	"$KTRACE" list -v --json | jq -rs '(map({(.event): .fields}) | add) as $fields | .[] | .event as $event |
		$fields[$event | sub("^sys_exit"; "sys_enter")] as $arguments |
		.fields[] | select(.offset | not) | (.name | capture("^__(?<of>.*)_(val|count|data)$").of // .) as $of |
		[$event, .type, ($arguments[] | select(.name == $of) | .type)] | join("  ")' \
		>"$BATS_TEST_TMPDIR/message"
	text='sys_enter_[a-z0-9_]*  __data_loc char\[\]  (const )?char ?\*'
	given='sys_enter_[a-z0-9_]*  __data_loc u8\[\]  (const )?(char|void) ?\*'
	taken='sys_exit_[a-z0-9_]*  __data_loc u8\[\]  (char|void) ?\*'
	number='sys_(enter|exit)_[a-z0-9_]*  __data_loc [us](32|64)\[\]  [a-z_0-9 ]* ?\*'
	number+='|sys_enter_move_pages  __data_loc u64\[\]  const void \* ?\*'
	number+='|sys_exit_(p?poll  unsigned int  unsigned int|move_pages  unsigned long  unsigned long)'
	struct='sys_(enter_[a-z0-9_]*  __data_loc struct ([a-z0-9_]*)\[\]  (const )?struct \2 ?\*( ?const)?'
	struct+='|exit_[a-z0-9_]*  __data_loc struct ([a-z0-9_]*)\[\]  struct \5 ?\*'
	struct+='|(enter|exit)_sigaltstack  __data_loc struct sigaltstack\[\]  (const )?stack_t ?\*)'
	list='sys_enter_execve(at)?  (int|__data_loc u8\[\])  const char \* const \*'
	address='sys_(enter|exit)_[a-z0-9_]*  __data_loc u8\[\]  struct sockaddr ?\*'
	buffers='sys_(enter_(p?writev|pwritev2|vmsplice|process_vm_writev)|exit_(p?readv|preadv2|process_vm_readv))  '
	vector="$buffers"'(unsigned long  unsigned long|__data_loc struct iovec\[\]  const struct iovec ?\*)'
	buffers+='__data_loc u8\[\]  const struct iovec ?\*'
	member='sys_(enter_send|exit_recv)msg  __data_loc (u8|struct iovec)\[\]' # nothing is behind that argument
	extra='(sched_process_exit|signal_deliver)  (int|u32|long|void \*)  \2'
	[ "$(grep -cxE "$extra" "$BATS_TEST_TMPDIR/message")" -eq 15 ]
	[ "$(grep -cxE "$member" "$BATS_TEST_TMPDIR/message")" -eq 8 ]
	[ "$(grep -cxE "$buffers" "$BATS_TEST_TMPDIR/message")" -eq 9 ]
	[ "$(grep -cxE "$address" "$BATS_TEST_TMPDIR/message")" -eq 8 ]
	[ "$(grep -cxE "$list" "$BATS_TEST_TMPDIR/message")" -eq 6 ]
	[ "$(grep -cxE "$text" "$BATS_TEST_TMPDIR/message")" -gt 80 ]
	[ "$(grep -cxE "$given" "$BATS_TEST_TMPDIR/message")" -gt 8 ]
	[ "$(grep -cxE "$taken" "$BATS_TEST_TMPDIR/message")" -gt 15 ]
	[ "$(grep -cxE "$number" "$BATS_TEST_TMPDIR/message")" -gt 30 ]
	[ "$(grep -cxE "$struct" "$BATS_TEST_TMPDIR/message")" -gt 60 ]
	! grep -vxE "$text|$given|$taken|$number|$list|$address|$buffers|$vector|$member|$extra" "$BATS_TEST_TMPDIR/message" | grep -vxE "$struct" || false
}

@test "without a tracefs mount the output is the same, and no mount is left" {
	with_tracefs '"$KTRACE" list' >"$BATS_TEST_TMPDIR/mounted"
	without_tracefs '"$KTRACE" list && ! grep -q " tracefs " /proc/self/mounts' \
		>"$BATS_TEST_TMPDIR/unmounted"
	cmp "$BATS_TEST_TMPDIR/mounted" "$BATS_TEST_TMPDIR/unmounted"
}

@test "-v: fields as C declarations" {
	run --separate-stderr with_tracefs '"$KTRACE" list -v sched:sched_process_exec'
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "sched:sched_process_exec (tracepoint)" ]
	[ "${lines[1]}" = "    __data_loc char[] filename" ]
	[ "${lines[2]}" = "    pid_t pid" ]
	[ -z "$stderr" ]
}

@test "a reason is printed where the cheaper record is impossible, and only there" {
	: >"$BATS_TEST_TMPDIR/empty"
	with_tracefs 'mount --bind "$BATS_TEST_TMPDIR/empty" /sys/kernel/btf/vmlinux' ||
		skip "the kernel's types cannot be hidden"
	for how in -v -t; do
		run --separate-stderr with_tracefs 'mount --bind "$BATS_TEST_TMPDIR/empty" \
			/sys/kernel/btf/vmlinux; "$KTRACE" list '$how' sched_waking sched_kthread_stop'
		[ "$status" -eq 0 ] || skip "$output"
		grep -x "sched:sched_kthread_stop (tracepoint)" <<<"$output"
		grep "^sched:sched_waking (tracepoint: cannot read the kernel's types (BTF): " <<<"$output"
	done
}

@test "--try: no probe stays open while the next one is tried" {
	events='sched:*,irq:*,timer:*'
	[ "$("$KTRACE" list "$events" | wc -l)" -ge 32 ]
	"$KTRACE" list --try sched_switch || skip "nothing can be probed here"
	(ulimit -n 32 && "$KTRACE" list --try "$events" >/dev/null)
}

@test "--try: events that cannot be probed are listed with the reason, exit status 1" {
	run --separate-stderr with_tracefs \
		'exec setpriv --bounding-set -sys_admin,-perfmon "$KTRACE" list --try sched_switch'
	[[ $stderr != *"CAP_BPF is missing"* ]] || skip "$stderr"
	[ "$status" -eq 1 ]
	[ -z "$stderr" ]
	[[ $output == "sched:sched_switch (cannot be recorded: "*"; CAP_PERFMON is missing: run as root)" ]]

	run --separate-stderr with_tracefs \
		'exec setpriv --bounding-set -sys_admin,-perfmon "$KTRACE" list --try -v --json sched_switch'
	[ "$status" -eq 1 ]
	jq -e '.probe == null and (.why | test("CAP_PERFMON is missing")) and .fields[0].size == 16' \
		<<<"$output"
}

@test "--try: a missing right to read page numbers is reported" {
	try='"$KTRACE" list --try kmem:mm_page_free'
	run --separate-stderr with_tracefs "$try"
	[ "$status" -eq 0 ] || skip "$output"
	[ "$output" = "kmem:mm_page_free (raw_tp)" ] || skip "$output"
	run --separate-stderr with_tracefs "exec setpriv --bounding-set -sys_admin $try"
	[ "$status" -eq 0 ] || skip "$output"
	[[ $output == "kmem:mm_page_free (tracepoint: cannot find vmemmap: "*"; CAP_SYS_ADMIN is missing: run as root)" ]]
}

@test "--try without any rights reports that once" {
	run --separate-stderr with_tracefs \
		'exec setpriv --bounding-set -sys_admin,-bpf,-perfmon "$KTRACE" list --try "sched:*"'
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	[[ $stderr == "ktrace list: "*"CAP_BPF and CAP_PERFMON are missing: run as root" ]]
}

@test "patterns overlap: each event once, in order" {
	run --separate-stderr with_tracefs '"$KTRACE" list sched_switch sched:sched_switch sched_process_exit "sched_swit*"'
	[ "$status" -eq 0 ]
	[ "$output" = $'sched:sched_process_exit\nsched:sched_switch' ]
}

@test "!PATTERN removes events from the other patterns, or from all" {
	all="$BATS_TEST_TMPDIR/all"
	with_tracefs 'ls -d events/*/*/format' | awk -F/ '$2 != "ftrace" { print $2 ":" $3 }' | LC_ALL=C sort >"$all"
	rest_of() { # REGEX, PATTERNS
		with_tracefs '"$KTRACE" list '"$2" | LC_ALL=C sort | diff <(grep -vE "$1" "$all") -
	}
	rest_of '^(sched|irq):' '"!sched:*,irq:*"'
	rest_of '^(sched|irq):' '"!irq:*" "!sched:*" "*:*"'
	rest_of '^[^s]|^[^:]*:[^s]|:sched_switch$|:sys_(enter|exit)_read$' '"s*:s*" "!sched_switch,syscalls:read"'
	run --separate-stderr with_tracefs '"$KTRACE" list "!sched_switch,sched_swtich" sched_switch sched_process_exit'
	[ "$status" -eq 1 ]
	[ "$output" = "sched:sched_process_exit" ]
	[ "$stderr" = "ktrace list: no event is called 'sched_swtich'; did you mean 'sched:sched_switch'?
  !sched_switch,sched_swtich
                ^~~~~~~~~~~~" ]
}

@test "a system call's name is that call, and examples name existing events" {
	local command line

	run --separate-stderr with_tracefs '"$KTRACE" list futex "!syscalls:futex" openat newstat'
	[ "$status" -eq 0 ]
	[ "$output" = $'syscalls:sys_enter_newstat\nsyscalls:sys_enter_openat\nsyscalls:sys_exit_newstat\nsyscalls:sys_exit_openat' ]
	for command in record start; do
		"$KTRACE" $command --help | grep '^  ktrace ' |
			perl -ne 'print "$1$2\n" while / -e (?:\x27(.*?)\x27|(\S+))/g'
	done >"$BATS_TEST_TMPDIR/patterns"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/patterns")" -ge 15 ]
	while read -r line; do
		run --separate-stderr with_tracefs '"$KTRACE" list "'"$line"'"'
		[ "$status" -eq 0 ]
	done <"$BATS_TEST_TMPDIR/patterns"
}

@test "an unknown event is marked, the nearest suggested, the rest listed" {
	run --separate-stderr with_tracefs '"$KTRACE" list sched:sched_swtich sched_process_exit'
	[ "$status" -eq 1 ]
	[ "$output" = "sched:sched_process_exit" ]
	[ "$stderr" = "ktrace list: no event of 'sched' is called 'sched_swtich'; did you mean 'sched:sched_switch'?
  sched:sched_swtich
        ^~~~~~~~~~~~" ]
}

@test "comma-separated patterns are handled one by one, wrong ones reported" {
	run --separate-stderr with_tracefs '"$KTRACE" list "sched_switch,*:sched_process_exi[t],irq:nix,"'
	[ "$status" -eq 2 ]
	[ "$output" = $'sched:sched_process_exit\nsched:sched_switch' ]
	[ "$stderr" = "ktrace list: no event of 'irq' is called 'nix'; see 'ktrace list'
  sched_switch,*:sched_process_exi[t],irq:nix,
                                          ^~~
ktrace list: missing event name
  sched_switch,*:sched_process_exi[t],irq:nix,
                                              ^" ]
}

@test "a malformed pattern is a usage error" {
	run --separate-stderr with_tracefs '"$KTRACE" list sched:'
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[ "$stderr" = "ktrace list: missing event name
  sched:
        ^" ]
}

@test "missing rights: which one, and what to do" {
	run --separate-stderr without_tracefs 'exec setpriv --reuid 65534 --clear-groups "$KTRACE" list'
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr == *"needs CAP_SYS_ADMIN: run as root, or once 'mount -t tracefs "* ]]

	run --separate-stderr with_tracefs 'exec setpriv --reuid 65534 --clear-groups "$KTRACE" list'
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr == *": Permission denied; run as root"* ]]
}

@test "a closed pipe ends it quietly" {
	run --separate-stderr with_tracefs '"$KTRACE" list -v | head -n 1'
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
	[ -z "$stderr" ]
}
