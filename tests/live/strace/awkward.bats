#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Arguments that are hard to read: a copy has only what was in memory, stays within its limits, and
# is marked if cut or unreadable; the kernel logs nothing. The calling program is the witness.

bats_require_minimum_version 1.5.0
load ../recording

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"
ROUNDS=$((1500 * ${TIMES:-1}))

kinds='openat|execve|write|read|readlink|connect|getsockname|utimensat|nanosleep|poll|readv|writev|sendmsg|rt_sigprocmask|newfstatat'

# Records the program and prints its calls, one per line: NAME(ARGUMENTS) = RESULT; its own output
# is in stdout.
record_caller() { # OPTION... -- ARGUMENT...
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	dmesg >before 2>why || skip "$(<why)"
	rm -rf ktrace.out
	record -b 32M -e "syscalls:${kinds//|/,syscalls:}" -f 'comm == "caller"' --strict "${options[@]}" -- \
		"$TRACED/awkward" "$@"
	[ "$status" -eq 0 ]
	dmesg >after
	run ! grep -E 'awkward|caller|ktrace|[bB][pP][fF]|BUG|WARNING|Oops|Call Trace|protection|user access|stall|lockup' \
		<(diff before after | grep '^>')
	"$KTRACE" print --strace -v | sed 's/^[0-9]* *//; s/) \+= /) = /' >printed
}

@test "a pointer to nowhere or into the kernel is printed as it is" {
	record_caller -- addresses
	[ "$(wc -l <stdout)" -gt 150 ]
	paste stdout printed | perl -ne 's/\[\{iov_base=(\w+), iov_len=100\}\]/$1/;
		/^(\w+) (0x\w+)\t\1\((.*)\) = / && $3 =~ /(?<!\w)$2\b/ && $3 !~ /[[{]|"(?!nowhere"|\/)[^,]/ ||
			die "not so: $_"'
	[ "$(wc -l <stdout)" -eq "$(wc -l <printed)" ]
}

@test "a text near the end of memory is complete, cut, or a pointer" {
	record_caller -- edges
	[ "$(wc -l <stdout)" -gt 300 ]
	paste stdout printed | perl -ne '
		my ($length, $how, $shown) = /^(\d+) (\w+)\topenat\(AT_FDCWD, (.*), O_RDONLY\) = / or die $_;
		$shown = length($1) . " " . ($2 || "ends") if $shown =~ /^"(x*)"(\.\.\.)?$/;
		$shown = "endless" if $shown =~ /^0x\w+$/;
		my $right = $length >= 4096 ? "4095 ..." :
			$how eq "ends" ? "$length ends" : "endless";
		$shown eq $right or die "$length $how: $shown, not $right"; $of{$how}{$shown =~ /\D+/ && $&}++;
		END { keys %{$of{ends}} == 2 && keys %{$of{endless}} == 2 or die "not all" }'
	[ "$(wc -l <stdout)" -eq "$(wc -l <printed)" ]
}

# For each kind: the possible values, from bytes used nowhere else; and how often it was readable
# and unreadable: what read() could write to is usually readable.
check_changes() { # LIMIT ROUNDS
	perl -e 'my ($limit, $rounds) = @ARGV;
		my $pointer = qr/0x[\da-f]+(?: \/\* \d+ vars? \*\/)?/;
		my $texts = join "|", map { "\"$_\"" } qw(e ff eee ffffffffffff eeeeeeeeeeeeeeeeeeeeeee);
		my $unread = qr!/\* 0x[\da-f]+000 \*/!; # an array ends at the end of a page
		my $polled = qr/\{fd=(?:-1|0, events=(?:0|POLLIN|POLLOUT))\}/;
		sub is_bytes { # the full length or the limit; or zeros from the page that returns
			my ($shown, $of, $count, $always) = @_;
			my $kept = $count < $limit ? $count : $limit;
			my $dots = $kept < $count ? "..." : "";
			return $shown =~ /^"(?:$of){$always}(?:$of|\\0)*"\Q$dots\E$/ &&
				(() = $shown =~ /\w/g) == $kept;
		}
		sub is_time { sprintf("%016x", $_[0]) =~ /^(?:0[0-7]){8}$/ }
		sub is_address { my $most = 2 + $_[1];
			$_[0] =~ /^\{sa_family=(?:$_[3])(?:, \w+=@?"((?:$_[2])*)")?\}$/ &&
				(() = ($1 // "") =~ /\w/g) <= $most }
		sub is_elements { my ($shown, $element) = @_;
			$shown =~ /^\[$element(?:, $element)*(?:, \.\.\.(?<unread> $unread)?)?\]$/ or return 0;
			my $unread = $+{unread};
			$shown =~ /^\[(?:\{fd=-1\}, ){16}/ or return 0;
			my $n = () = $shown =~ /$element/g;
			return $n < $limit && $n < 40 if $unread;
			return $n == ($limit < 40 ? $limit : 40) && ($shown =~ /\.\.\./) == ($limit < 40) }
		sub is_vector { my ($shown, $count) = @_; my ($n, $used, $full) = (0, 0, 0); # up to 4096, with 4 for each
			$shown =~ /^\[(.*?)((?:, )?\.\.\.(?<unread> $unread)?)?\]$/ or return 0;
			my ($all, $cut, $unread) = ($1, $2, $+{unread});
			my $most = $count < $limit ? $count : $limit;
			for (split /(?<=\}), /, $all) {
				/^\{iov_base=(.*), iov_len=(0|5|16|64|8192|18446744073709551615)\}$/ or return 0;
				my ($base, $length) = ($1, $2);
				my $kept = () = $base =~ /\w/g;
				$n++;
				$used += 4;
				next if $base eq "NULL" || $length && $base =~ /^0x(?:10|ffff888000000000)$/ ||
					$base =~ /^$pointer$/ && ($length > 16 || $length && $used > 3700);
				return 0 if $full && $kept;
				$used += $kept;
				next if is_bytes($base, "[cd]", $length, $kept < 16 ? $kept : 16);
				return 0 if $used <= 3700 || $used > 4096 || $base !~ /^"(?:[cd]|\\0)*"\.\.\.$/;
				$full = 1;
			}
			($n == $most || ($count > 40 || $unread) && $n <= $most) && !!$cut == ($n < $count) }
		sub is_control { my ($shown, $length) = @_; # 48 bytes, then some that change to zeros
			$shown =~ /^\[\{cmsg_len=(\d+), cmsg_level=(0x[678]+|SOL_IP), cmsg_type=(0x[678]+|0)(?:, cmsg_data="((?:[gh]|\\0)*)")?\}(, \.\.\.)?\]$/ or return 0;
			my ($data, $cut, $all) = ($4, $5, $length < 0 || $length > 256 ? 256 : $length);
			my $n = 16 + (() = $data =~ /\w/g);
			return sprintf("%x", $1) =~ /^(?:0?0|6[78])+$/ && ($length < 0 || $length > $n ? $cut : !$cut) &&
				($n == $all || $n >= 48 && $n <= $all) }
		sub is_message { my ($name, $length, $vector, $count, $control, $room) = @_;
			if ($control =~ /^\[/) { $sent{control}++; is_control($control, $room) or return 0 }
			else { $sent{"no control"}++; defined $control != ($room == 0) or return 0 }
			if ($name =~ /^\{/) { $sent{name}++; is_address($name, $length - 2, "[gh]|\\\\0", "0x6[78]6[78]|AF_UNSPEC") or return 0 }
			elsif ($name !~ /^0x(?:10|ffff888000000000)$|^NULL$/) { $sent{"no name"}++ }
			if ($vector =~ /^\[/) { $sent{vector}++; return is_vector($vector, $count) }
			$sent{"no vector"}++; return $vector =~ /^(?:$pointer|NULL)$/ }
		my %rules = (
			openat => [qr/AT_FDCWD, (.*), O_RDONLY/, sub { $_[0] =~ /^"([ab]*)"(\.\.\.)?$/ &&
				($2 ? length $1 == 4095 : length $1 <= 4095) }],
			write => [qr/\d+, (.*), (64|8192)/, sub { is_bytes($_[0], "[cd]", $_[1], 16) }],
			read => [qr/\d+, (.*), 64/, sub { is_bytes($_[0], "[ij]", $_[-1], 0) }],
			execve => [qr/"nowhere", (.*), NULL/, sub { $_[0] =~ /^\[(?:(?:$texts)(?:, (?!\])|(?=\])))*(?:\.\.\.)?\]$/ }],
			connect => [qr/-1, (.*), 64/, sub { is_address($_[0], 62, "[gh]|\\\\0", "0x6[78]6[78]") }],
			getsockname => [qr/\d+, (.*), \[(?:0|2|16|110|1073741824|-1)(?: => (?:0|2|16|110|1073741824|-1))?\]/,
				sub { is_address($_[0], 128, "[gij]|\\\\[01]",
				"AF_UNSPEC|AF_UNIX|0x[69a01]+") }],
			utimensat => [qr/AT_FDCWD, "nowhere", (.*), 0/, sub {
				$_[0] =~ /^\[\{tv_sec=(\d+), tv_nsec=(\d+)\}, \{tv_sec=(\d+), tv_nsec=(\d+)\}\]$/ or return 0;
				return 0 if !$1 || !$2;
				4 == grep { is_time($_) } $1, $2, $3, $4 }],
			writev => [qr/\d+, (.*), 40/, sub { is_vector($_[0], 40) }],
			sendmsg => [qr/-1, (?|(0x[\da-f]+)|\{msg_name=(.*), msg_namelen=(-?\d+), msg_iov=(.*), msg_iovlen=(\d+), (?:msg_control=(.*), )?msg_controllen=(\d+), msg_flags=0\}), 0/,
				sub { is_message(@_) }],
			poll => [qr/(.*), 40, 0/, sub { is_elements($_[0], $polled) }],
			newfstatat => [qr/AT_FDCWD, "\/", (.*), 0/, sub { $_[0] =~ /^\{st_dev=.*\}$/ }],
		);
		while (<STDIN>) {
			s! /\* (?:\w+_\?{3}|\d+-\d\d-\d\dT[^ ]*) \*/!!g;
			/^(\w+)\((.*)\) = (-?\d+)/ or die "not a call: $_";
			my ($name, $given, $result) = ($1, $2, $3);
			my ($form, $rule) = @{$rules{$name} // die "not one of its calls: $_"};
			my ($shown, @parts) = $given =~ /^$form$/ or die "not its form: $_";
			$calls{$name}++;
			if ($shown =~ /^$pointer$/ && $given !~ /msg_name=/) { $unread{$name}++; next }
			$rule->($shown, @parts, $result) or die "what was never there: $_";
			$shown =~ / $unread\]$/ ? $part{$name}++ : $read{$name}++;
		}
		for (sort keys %rules) {
			print "$_: $calls{$_}, read $read{$_}, in part $part{$_}, not read $unread{$_}\n";
			my $missed = $unread{$_} || $part{$_} || $_ eq "read";
			$calls{$_} == ($_ eq "write" ? 2 : 1) * $rounds && $read{$_} && $missed or $wrong = 1;
		}
		$sent{$_} or $wrong = 1 for map { $_, "no $_" } "name", "vector", "control";
		exit($wrong // 0)' "$1" "$2"
}

@test "data that another thread changes or unmaps is what was there, or absent" {
	for limit in 32 4096; do
		record_caller -s $limit -- changes "$ROUNDS"
		check_changes $limit "$ROUNDS" <printed
	done
}
