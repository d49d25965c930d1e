#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lint-commits.sh SINCE: check the messages of later commits; print one line for each breach.
#   - the subject is "part: what the commit does", has at most 72 characters and no full stop
#   - a body follows after an empty line
# Without git, or without the commit SINCE, nothing is checked.
set -eu

git rev-parse -q --verify "$1^{commit}" >/dev/null 2>&1 || exit 0

git log --no-merges --format='%h%x1f%s%x1f%b%x1e' "$1..HEAD" | awk '
	BEGIN {
		FS = "\037"
		RS = "\036\n"
	}
	function breach(text) {
		print "lint: commit " $1 ": " text ": " $2 >"/dev/stderr"
		breaches++
	}
	length($2) > 72 { breach("subject of " length($2) " characters, more than 72") }
	$2 !~ /^[a-z][a-z0-9_\/, -]*: [^ ]/ { breach("subject without \"part: \"") }
	$2 ~ /\.$/ { breach("subject with a full stop") }
	$3 !~ /[^ \n]/ { breach("no body") }
	END { exit breaches > 0 }'
