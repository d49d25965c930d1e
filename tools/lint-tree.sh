#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lint-tree.sh TREE: check a tree against the house rules; print one line for each breach.
#   - a folder of src/ includes itself and folders that sort before it, as "folder/file.h", a nested
#     one as "folder/sub/file.h"; nothing in src/ includes app/
#   - no two nouns in src/ and app/ have the same file name, whatever their folders
#   - no folder holds more than 40 files
#   - a source file has at most 600 lines, and names its licence in the first two
#   - a line of a comment has a space or a tab after its '*', which clang-format drops
#   - the root holds folders, CONTRIBUTING.md, COPYING, Makefile, README.md and hidden files
set -euo pipefail
export LC_ALL=C

cd "${1:?usage: lint-tree.sh TREE}"
{
	find app bench completion doc fuzz include lib man src systemd tests tools -type f \
		2>/dev/null || true
	find . -maxdepth 1 -type f ! -name '.*' -printf '%P\n'
} | sort | awk -v max_lines=600 -v max_files=40 '
	function breach(text) {
		print "lint: " text >"/dev/stderr"
		breaches++
	}

	# The part of a path before its last slash.
	function folder_of(path) {
		return match(path, /\/[^\/]*$/) ? substr(path, 1, RSTART - 1) : ""
	}

	function check_include(place, own, line,	target, folder) {
		if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/)
			return
		split(line, target, "\"")
		folder = folder_of(target[2])
		if (folder == "")
			breach(place ": write \"" own "/" target[2] "\": includes name the folder")
		else if (!("src/" folder in folders))
			breach(place ": \"" target[2] "\" is not in src/")
		else if (folder > own)
			breach(place ": " own "/ may not include " folder "/, which sorts after it")
	}

	# A header and its .c file are one noun.
	function check_noun(path,	noun) {
		noun = path
		sub(/\.[ch]$/, "", noun)
		sub(/.*\//, "", path)
		sub(/\.[ch]$/, "", path)
		if (path in nouns && nouns[path] != noun)
			breach(noun ": its name is taken by " nouns[path])
		nouns[path] = noun
	}

	function check_text(path,	n, line, has_licence) {
		for (n = 0; (getline line <path) > 0;) {
			n++
			if (n <= 2 && index(line, "SPDX-License-Identifier: "))
				has_licence = 1
			if (path ~ /\.[ch]$/ && line ~ /^ \*[[:alnum:]]/)
				breach(path ":" n ": no space after the '\''*'\'' of a comment")
			if (path ~ /^src\/.*\.[ch]$/)
				check_include(path ":" n, substr(folder_of(path), 5), line)
		}
		close(path)
		if (n > max_lines)
			breach(path ": " n " lines, over " max_lines)
		if (!has_licence)
			breach(path ":1: no SPDX-License-Identifier in the first two lines")
	}

	!/\// {
		if ($0 !~ /^(CONTRIBUTING\.md|COPYING|Makefile|README\.md)$/)
			breach($0 ": does not belong in the root")
		next
	}

	{
		paths[++n_paths] = $0
		folders[folder_of($0)]++
	}

	END {
		for (i = 1; i <= n_paths; i++) {
			if (paths[i] ~ /^(app|src)\/.*\.[ch]$/)
				check_noun(paths[i])
			if (paths[i] ~ /(\.[1ch]|\.sh|\.bash|\.bats|\.in)$/)
				check_text(paths[i])
			folder = folder_of(paths[i])
			if (folders[folder] > max_files) {
				breach(folder ": " folders[folder] " files, over " max_files)
				folders[folder] = 0
			}
		}
		exit breaches > 0
	}'
