# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Bash completion of ktrace. Commands, options and their arguments come from --help, events and
# fields from 'ktrace list' (which usually needs root). The package bash-completion is optional: with
# it, the arguments of a recorded command are completed as that command's own.
#
# Variables of _ktrace, for the functions it calls:
#   words[]    words of the line up to the cursor; word i begins at COMP_WORDS[at[i]]
#   typed      the part of the last word that bash does not replace; quote: its open quote, or empty
#   takes[]    by option, such as -e or --event: its argument's name in the help, or empty
#   kind, arg  what to complete, as the help names it, and its text so far
#   prefix     text before `arg` in its word, such as --event=
#   pattern    argument of the last -e; command_at: index of CMD, or empty

# Joins words that bash split at ':' or '='.
_ktrace_read_line() {
	local line=${COMP_LINE:0:COMP_POINT} i part trimmed
	for ((i = 0; i <= COMP_CWORD; i++)); do
		trimmed=${line#"${line%%[![:blank:]]*}"}
		part=${COMP_WORDS[i]}
		if ((i == 0)) || [[ $trimmed != "$line" ]]; then
			words+=('')
			at+=("$i")
		fi
		if ((i == COMP_CWORD)); then
			part=$trimmed
			[[ $part != [\'\"]* ]] || quote=${part:0:1}
			part=${part#"$quote"}
			typed=${words[-1]}
			# Bash does not replace a separator alone.
			[[ $part != [:=] ]] || typed+=$part
		fi
		words[-1]+=$part
		line=${trimmed#"$part"}
	done
}

_ktrace_read_help() { # COMMAND
	local line
	takes=([--help]='')
	while IFS= read -r line; do
		[[ $line =~ ^\ {2,6}(-[a-zA-Z])?(,\ )?(--[a-z-]+)?(\[=[A-Z]+\])?(\ ([A-Z]+))?(\ |$) ]] || continue
		[[ -z ${BASH_REMATCH[3]} ]] || takes[${BASH_REMATCH[3]}]=${BASH_REMATCH[6]}
		[[ -z ${BASH_REMATCH[1]} ]] || takes[${BASH_REMATCH[1]}]=${BASH_REMATCH[6]}
	done < <("$program" "$1" --help 2>/dev/null)
}

_ktrace_commands() {
	"$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'
}

# Sets `kind` if the next word is the argument of these options; of joined letters, the last has it.
_ktrace_find_argument() { # OPTIONS
	local i
	kind=
	if [[ $1 == --* ]]; then
		kind=${takes[$1]-}
		return
	fi
	for ((i = 1; i < ${#1} && ${#kind} == 0; i++)); do
		kind=${takes[-${1:i:1}]-}
	done
	((i == ${#1})) || kind=
}

# Finds out from the words before the cursor what to complete.
_ktrace_read_words() {
	local i last=$((${#words[@]} - 1)) operands= n=0
	for ((i = 2; i < last; i++)); do
		if [[ $kind ]]; then
			[[ $kind != PATTERN ]] || pattern=${words[i]}
			kind=
		elif [[ ${words[i]} == -- ]]; then
			operands=yes
			i=$((i + 1))
			break
		elif [[ ${words[i]} == --event=* ]]; then
			pattern=${words[i]#*=}
		elif [[ ${words[i]} == -?* ]]; then
			_ktrace_find_argument "${words[i]}"
		elif [[ ${words[1]} == @(record|strace|trace) ]]; then
			operands=yes
			break
		else
			n=$((n + 1))
		fi
	done

	arg=${words[last]}
	if [[ $kind ]]; then
		return
	elif [[ -z $operands && $arg == --*=* ]]; then
		kind=${takes[${arg%%=*}]-}
		prefix=${arg%%=*}=
		arg=${arg#*=}
	elif [[ -z $operands && $arg == -[!-]?* && ${takes[${arg:0:2}]-} ]]; then
		kind=${takes[${arg:0:2}]}
		prefix=${arg:0:2}
		arg=${arg:2}
	elif [[ -z $operands && $arg == -* ]]; then
		kind=OPTION
	else
		case ${words[1]} in
		help) kind=COMMAND ;;
		list) kind=PATTERN ;;
		# A list of all programs helps nobody: complete options until a letter is typed.
		record | strace | trace) [[ $operands$arg ]] && kind=CMD command_at=$i || kind=OPTION ;;
		print | report) kind=DIR ;;
		fs) ((n)) && kind=NAME || kind=DIR ;;
		# 'start' needs a new name.
		start) kind=OPTION ;;
		disable | enable | pause | reset | resume | snapshot | status | stop) kind=NAME ;;
		esac
	fi
}

# Replies with the lines of WORDS that start with the part of `arg` after the last of SEPARATORS (as in
# [] of a glob).
_ktrace_reply() { # SEPARATORS WORDS
	# shellcheck disable=SC2295
	local IFS=$'\n' tail=${arg##*[$1]}
	mapfile -t COMPREPLY < <(compgen -P "$prefix${arg%"$tail"}" -W "$2" -- "$tail")
}

_ktrace_reply_classes() {
	_ktrace_reply , "$("$program" list --help 2>/dev/null | grep -o '%[a-z]*')"
}

# Replies with systems; once a letter is typed, also with events without their system.
_ktrace_reply_events() {
	local names
	if [[ ${arg##*,} == %* ]]; then
		_ktrace_reply_classes
		return
	fi
	names=$("$program" list 2>/dev/null)
	[[ ${arg##*,} == *:* ]] || names=$(awk -F: -v all="${arg##*,}" '
		{ if (!had[$1]++) print $1 ":"; if (all) print $2 }' <<<"$names")
	_ktrace_reply , "$names"
	[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *: ]] || compopt -o nospace
}

# Replies with fields. A single match in quotes comes with operators: else bash would close the quotes.
_ktrace_reply_fields() {
	local names
	names=$("$program" list -v -- "${pattern//[\'\"]/}" 2>/dev/null |
		sed -n 's/^    .*[ *]\([a-zA-Z0-9_]*\)\(\[.*\)*$/\1/p')
	_ktrace_reply '!a-zA-Z0-9_' "$names"$'\ncomm\ncpu\npid\ntid'
	[[ -z $quote || ${#COMPREPLY[@]} -ne 1 ]] ||
		COMPREPLY=("${COMPREPLY[0]} "{==,!=,'<','<=','>','>=','&','~'})
	compopt -o nospace
}

# Replies to EVENT, or to 'EVENT if FILTER'.
_ktrace_reply_trigger() {
	case $arg in
	*' '*' '*)
		pattern=${arg%% *}
		_ktrace_reply_fields
		;;
	*' '*) _ktrace_reply ' ' if ;;
	*) _ktrace_reply_events ;;
	esac
}

_ktrace_reply_directories() {
	compopt -o filenames
	mapfile -t COMPREPLY < <(compgen -P "$prefix" -d -- "$arg")
}

_ktrace_reply_command() {
	if declare -F _command_offset >/dev/null; then
		_command_offset "${at[command_at]}"
		return
	fi
	compopt -o default
	((command_at < ${#words[@]} - 1)) || mapfile -t COMPREPLY < <(compgen -c -- "$arg")
}

_ktrace() {
	local words=() at=() typed='' quote='' kind='' arg='' prefix='' pattern='' command_at=''
	local program i
	local -A takes

	COMPREPLY=()
	# Bash completes redirections.
	if [[ ${COMP_WORDS[COMP_CWORD - 1]} == [\<\>]* ]]; then
		compopt -o default
		return
	fi
	_ktrace_read_line
	program=${words[0]/#\~/${HOME-}}
	if ((${#words[@]} == 2)); then
		arg=${words[1]} kind=COMMAND
		[[ $arg != -* ]] || kind=OPTION takes=([--help]='' [--version]='')
	else
		_ktrace_read_help "${words[1]}"
		_ktrace_read_words
	fi

	case $kind in
	CMD) _ktrace_reply_command ;;
	COMMAND) _ktrace_reply '' "$(_ktrace_commands)" ;;
	CPUS) _ktrace_reply ,- "$(cd /sys/devices/system/cpu && printf '%s\n' cpu[0-9]* | cut -c 4-)" ;;
	DIR) _ktrace_reply_directories ;;
	FILE) compopt -o default ;;
	FILTER) _ktrace_reply_fields ;;
	GROUP) _ktrace_reply '' "$(compgen -g)" ;;
	NAME) _ktrace_reply '' "$(ls /sys/fs/bpf/ktrace 2>/dev/null)" ;;
	OPTION) _ktrace_reply '' "$(printf '%s\n' "${!takes[@]}")" ;;
	PATTERN) _ktrace_reply_events ;;
	PID) _ktrace_reply , "$(cd /proc && printf '%s\n' [0-9]*)" ;;
	TRIGGER) _ktrace_reply_trigger ;;
	esac
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=${COMPREPLY[i]#"$typed"}
	done
}

complete -F _ktrace ktrace
