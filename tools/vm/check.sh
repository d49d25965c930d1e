#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check.sh DIR FILE...: run tests (tools/run-tests.sh) on each of Debian's kernels (kernel.sh), as many
# at once as there are CPUs, and print the failures, skips and sum of each. KERNELS='6.1 7.3' chooses
# kernels; 6.12,7.3=FILE is run on these alone. The whole output of a kernel's tests stays in
# DIR/KERNEL/log.1 and log.2.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=$1
shift
read -ra kernels <<<"${KERNELS:-$("$here/kernel.sh" | tr '\n' ' ')}"

variables=()
for name in KTRACE BENCH TRACED VERSION LSAN_OPTIONS TEST_TIMEOUT TIMES V; do
	[[ ! -v $name ]] || variables+=("$name=${!name}")
done
for kernel in "${kernels[@]}"; do
	"$here/kernel.sh" "$dir" "$kernel"
done

# The second half of a kernel's files runs in a guest of its own: so the CPUs end at about the same
# time.
run_half() { # KERNEL HALF FILE...
	local kernel=$1 log=$dir/$1/log.$2 status=0
	shift 2
	"$here/boot.sh" "$dir" "$kernel" env "${variables[@]}" tools/run-tests.sh "$@" \
		>"$log" 2>&1 || status=$?
	sed "s/^/$kernel: /" <(grep -v '^  TEST ' "$log")
	[[ $status -eq 0 ]] || echo "$kernel: failed (status $status)"
	return "$status"
}

echo "  VM     ${kernels[*]}"
at_once=$(nproc) failed=0 n=0
start_half() { # KERNEL HALF FILE...
	if [[ $n -eq $at_once ]]; then
		wait -n || failed=1
		n=$((n - 1))
	fi
	run_half "$@" </dev/null &
	n=$((n + 1))
}

# Sets `first` and `second` to the halves of the files that are for a kernel.
first=() second=()
divide_files() { # KERNEL FILE...
	local kernel=$1 file
	shift
	first=() second=()
	for file; do
		[[ $file != *=* || ,${file%%=*}, == *,$kernel,* ]] || continue
		if [[ ${#first[@]} -eq ${#second[@]} ]]; then
			first+=("${file#*=}")
		else
			second+=("${file#*=}")
		fi
	done
}

for kernel in "${kernels[@]}"; do
	divide_files "$kernel" "$@"
	[[ ${#first[@]} -eq 0 ]] || start_half "$kernel" 1 "${first[@]}"
	[[ ${#second[@]} -eq 0 ]] || start_half "$kernel" 2 "${second[@]}"
done
while [[ $n -gt 0 ]]; do
	wait -n || failed=1
	n=$((n - 1))
done
exit "$failed"
