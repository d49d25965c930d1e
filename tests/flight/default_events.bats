#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The events of a flight recorder for which none were asked.

load flight

check_default_events() {
	ktrace start
	[ "$(read_info flight | jq -r '.events[] | "\(.system):\(.name)"' | sort)" = \
		"$("$KTRACE" list --default | sort)" ]
	[ "$(ls "$PLACE/flight/link" | wc -l)" -eq "$("$KTRACE" list --default | wc -l)" ]
	ktrace stop
}

@test "without -e, the events of 'list --default' are recorded" {
	run_on_bpffs check_default_events
}
