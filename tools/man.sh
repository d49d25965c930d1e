#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# man.sh KTRACE PAGE: print a man page of man/, with the parts that the program generates in place of
# the marks .\" @SYNOPSIS@, @OPTIONS@, @EXAMPLES@, and in ktrace(1) @COMMANDS@.
set -euo pipefail

name=$(basename "$2" .1)
command=${name#ktrace}

"$1" help --mdoc ${command:+"${command#-}"} | awk '
	FNR == NR && /^\.Sh / { section = $2 == "NAME" ? "SYNOPSIS" : $2 == "SYNOPSIS" ? section : $2 }
	FNR == NR { parts[section ? section : "COMMANDS"] = parts[section ? section : "COMMANDS"] $0 "\n"; next }
	/^\.\\" @[A-Z]+@$/ { gsub(/@/, "", $2); printf "%s", parts[$2]; next }
	{ print }' - "$2"
