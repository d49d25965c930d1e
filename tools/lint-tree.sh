#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lint-tree.sh TREE: hold a tree against the rules of the house, one line for each breach.
#   - a folder of src/ includes itself and folders that sort before it, as "folder/file.h";
#     nothing in src/ includes app/
#   - a source file has at most 600 lines, and names its licence in the first two
set -euo pipefail
export LC_ALL=C

cd "${1:?usage: lint-tree.sh TREE}"
{
	find app bench completion fuzz include lib man src systemd tests tools -type f \
		\( -name '*.[1ch]' -o -name '*.sh' -o -name '*.bash' -o -name '*.bats' -o -name '*.in' \) \
		2>/dev/null || true
} | sort | awk -v max_lines=600 -v folders="$(cd src 2>/dev/null && echo */ || true)" '
	function breach(text) {
		print "lint: " text >"/dev/stderr"
		breaches++
	}

	function check_include(place, own, line,	target, folder) {
		if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/)
			return
		split(line, target, "\"")
		folder = target[2]
		sub(/\/.*/, "", folder)
		if (target[2] !~ /\//)
			breach(place ": write \"" own "/" target[2] "\": includes name the folder")
		else if (index(" " folders, " " folder "/") == 0)
			breach(place ": \"" target[2] "\" is not in src/")
		else if (folder > own)
			breach(place ": " own "/ may not include " folder "/, which sorts after it")
	}

	{
		split($0, parts, "/")
		is_src = /^src\/.*\.[ch]$/
		has_licence = 0
		for (n = 0; (getline line <$0) > 0;) {
			n++
			if (n <= 2 && index(line, "SPDX-License-Identifier: "))
				has_licence = 1
			if (is_src)
				check_include($0 ":" n, parts[2], line)
		}
		close($0)
		if (n > max_lines)
			breach($0 ": " n " lines, over " max_lines)
		if (!has_licence)
			breach($0 ":1: no SPDX-License-Identifier in the first two lines")
	}

	END { exit breaches > 0 }'
