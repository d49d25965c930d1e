#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check.sh DIR FILE...: run tests (tools/run-tests.sh) on each of Debian's kernels (kernel.sh), as many
# at once as there are CPUs, and print the failures, skips and sum of each. KERNELS='6.1 7.3' chooses
# kernels. The whole output of a kernel's tests stays in DIR/KERNEL/log.
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

check_kernel() { # KERNEL FILE...
	local kernel=$1 status=0
	shift
	"$here/boot.sh" "$dir" "$kernel" env "${variables[@]}" tools/run-tests.sh "$@" \
		>"$dir/$kernel/log" 2>&1 || status=$?
	sed "s/^/$kernel: /" <(grep -v '^  TEST ' "$dir/$kernel/log")
	[[ $status -eq 0 ]] || echo "$kernel: failed (status $status)"
	return "$status"
}

echo "  VM     ${kernels[*]}"
at_once=$(nproc) failed=0 n=0
for kernel in "${kernels[@]}"; do
	if [[ $n -eq $at_once ]]; then
		wait -n || failed=1
		n=$((n - 1))
	fi
	check_kernel "$kernel" "$@" </dev/null &
	n=$((n + 1))
done
while [[ $n -gt 0 ]]; do
	wait -n || failed=1
	n=$((n - 1))
done
exit "$failed"
