#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lint-tree.sh TREE: hold a tree against the rules of the house, one line for each breach.
#   - a folder of src/ includes itself and folders that sort before it, as "folder/file.h";
#     nothing in src/ includes app/
#   - a source file has at most 600 lines, and names its licence in the first two
set -euo pipefail
export LC_ALL=C

max_lines=600
cd "${1:?usage: lint-tree.sh TREE}"
breaches=0

breach() {
	echo "lint: $*" >&2
	breaches=$((breaches + 1))
}

include_rule() { # FILE
	local file=$1 own line target folder
	own=${file#src/}
	own=${own%%/*}
	while IFS=: read -r line target; do
		folder=${target%%/*}
		if [[ $target != */* ]]; then
			breach "$file:$line: write \"$own/$target\": includes name the folder"
		elif [[ ! -d src/$folder ]]; then
			breach "$file:$line: \"$target\" is not in src/"
		elif [[ $folder > $own ]]; then
			breach "$file:$line: $own/ may not include $folder/, which sorts after it"
		fi
	done < <(sed -nE '/^[[:space:]]*#[[:space:]]*include[[:space:]]*"/{
		=;s/^[^"]*"([^"]*)".*/\1/p}' "$file" | paste -d: - -)
}

while IFS= read -r file; do
	lines=$(wc -l <"$file")
	[[ $lines -le $max_lines ]] || breach "$file: $lines lines, over $max_lines"
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: ' ||
		breach "$file:1: no SPDX-License-Identifier in the first two lines"
	if [[ $file == src/*.[ch] ]]; then
		include_rule "$file"
	fi
done < <(find app bench completion fuzz include lib man src tests tools -type f \
	\( -name '*.[1ch]' -o -name '*.sh' -o -name '*.bash' -o -name '*.bats' \) 2>/dev/null | sort)

[[ $breaches -eq 0 ]]
