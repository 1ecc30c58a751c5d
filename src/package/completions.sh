#!/bin/sh
# Writes shell completions, made from a command's table of options.  completions.sh DIR writes DIR/fpmove.bash, DIR/fpmove.zsh and
# DIR/fpmove.fish.  completions.sh DIR fpmove-gpu PROGRAM writes those of fpmove-gpu; PROGRAM is that command, whose --help lists the
# workloads.
set -eu
here=$(dirname "$0")
mkdir -p "$1"
command=${2-fpmove} options=$here/../cli/options.def first= workloads=
if [ $# -gt 1 ]; then
	options=$here/../gpu/gpu_options.def
	first=$("$3" --help | sed -n 's/^[Usage: ]* fpmove-gpu \([a-z]*\) .*/\1/p' | tr '\n' ' ')
	workloads=$("$3" --help | sed -n '/^Workloads, and/,/^$/s/^  \([a-z][a-z0-9]*\) .*/\1/p' | tr '\n' ' ')all
fi

# The table: one line for each option, with fields separated by tabs: letters, long name, whether it has an argument (NONE, MAYBE, NEEDED),
# what completes the argument (files, folders or nothing), the argument's name, help on one line, the argument's values.
table=$(awk -v src="$here/.." '
	function strings(line,    n) { # puts the quoted strings of a line into s[1], s[2] ...
		for (n = 0; match(line, /"[^"]*"/); line = substr(line, RSTART + RLENGTH))
			s[++n] = substr(line, RSTART + 1, RLENGTH - 2)
	}
	function ids(tables,    n, t, i, line, all) {
		n = split(tables, t, " ")
		for (i = 1; i <= n; i++) {
			while ((getline line <(src "/" t[i])) > 0)
				if (line ~ /^[A-Z_]+\([^"]*"/) {
					strings(line)
					all = all (all ? " " : "") s[1]
				}
			close(src "/" t[i])
		}
		return all
	}
	function row() {
		if (options++)
			print head "\t" values
		values = ""
	}
	/^OPTION\(/ {
		row()
		strings($0)
		kind = s[3] ~ /^DIR$/ ? "folders" : s[3] ~ /^(FILE.*|FROM|REPORT)$/ ? "files" : "nothing"
		gsub(/\\n/, " ", s[4])
		head = s[1] "\t" s[2] "\t" ($0 ~ /", NONE, "/ ? "NONE" : $0 ~ /", MAYBE, "/ ? "MAYBE" : "NEEDED") "\t" kind "\t" s[3] "\t" s[4]
	}
	/^VALUES\(/ { strings($0); values = s[1] }
	/^VALUES_OF\(/ { strings($0); values = ids(s[1]) }
	END { row() }' <<END
$(sed -e '/^#include "cli.moving.def"/{' -e "r $here/../cli/moving.def" -e 'd' -e '}' "$options")
END
)

# awk_table PROGRAM: runs an awk program for each option of the table, with its fields as variables
awk_table() {
	echo "$table" | awk -F '\t' -v command="$command" '{ letters = $1; long = $2; argument = $3; kind = $4; name = $5; help = $6; values = $7 }'"$1"
}

{
	echo "# bash completion of $command"
	echo "_$command() {"
	cat <<'END'
	# What may be completed: the word up to the cursor, of which bash may take what follows a = for a word of its own.
	local line=${COMP_LINE:0:COMP_POINT} kind=files option word start= values
	word=${line##*[[:space:]]}
	COMPREPLY=()
	case $word in
	--*=*)
		option=${word%%=*}=
		[[ $COMP_WORDBREAKS == *=* ]] || start=$option
		word=${word#*=}
		;;
END
	awk_table 'letters != "" && argument == "NEEDED" {
		printf "\t-%s%s*) option=-%s start=-%s word=${word#-%s} ;;\n", letters, values == "" ? "?" : "", letters, letters, letters
	}'
	cat <<'END'
	-*) option=- ;;
	*) option=${COMP_WORDS[COMP_CWORD-1]} ;;
	esac
	case $option in
END
	printf '\t-) kind=words values="'
	awk_table '{ if (letters != "") printf "-%s ", letters; if (long != "") printf "--%s%s ", long, argument == "NEEDED" ? "=" : "" }'
	echo '" ;;'
	awk_table 'argument != "NONE" {
		pattern = letters == "" ? "" : "-" letters
		if (long != "")
			pattern = pattern (pattern == "" ? "" : "|") "--" long "=" (argument == "NEEDED" ? "|--" long : "")
		printf "\t%s) %s ;;\n", pattern, values == "" ? "kind=" kind : "kind=words values=\"" values "\""
	}'
	cat <<'END'
	esac
END
	if [ -n "$first" ]; then
		printf '\t[[ $kind != files || $option == -* ]] || case $COMP_CWORD,${COMP_WORDS[1]} in\n'
		printf '\t1,*) kind=words values="%s" ;;\n\t*,run | *,predict) kind=words values="%s" ;;\n\tesac\n' "$first" "$workloads"
	fi
	cat <<'END'
	case $kind,$start in
	words,*) COMPREPLY=($(compgen -P "$start" -W "$values" -- "$word")) ;;
	folders,) compopt +o default -o dirnames ;;
	folders,*) mapfile -t COMPREPLY < <(compgen -P "$start" -d -- "$word") ;;
	files,?*) mapfile -t COMPREPLY < <(compgen -P "$start" -f -- "$word") ;;
	nothing,*) compopt +o default ;;
	esac
	[[ $kind == words ]] || compopt -o filenames
	[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}
END
	echo "complete -o default -F _$command $command"
} >"$1/$command.bash"

{
	echo "#compdef $command"
	echo '_arguments -s \'
	awk_table '{
		gsub(/[][]/, "\\\\&", help)
		gsub(/\047/, "\047\\\047\047", help)
		does = values != "" ? "(" values ")" : kind == "folders" ? "_files -/" : kind == "files" ? "_files" : ""
		does = argument == "NONE" ? "" : ":" tolower(name) ":" does
		if (long != "")
			printf "\t\047--%s%s[%s]%s\047 \\\n", long, argument == "NEEDED" ? "=" : argument == "MAYBE" ? "=-" : "", help,
			       argument == "MAYBE" ? ":" does : does
		if (letters != "")
			printf "\t\047-%s%s[%s]%s\047 \\\n", letters, argument == "NEEDED" ? "+" : "", help, does
	}'
	[ -z "$first" ] || echo "	'1:mode:($first)' \\"
	echo "	'*:program:_files'"
} >"$1/$command.zsh"

{
	echo "# fish completion of $command"
	[ -z "$first" ] || echo "complete -c $command -n __fish_is_first_arg -f -a '$first'"
	[ -z "$first" ] || echo "complete -c $command -n '__fish_seen_subcommand_from run predict' -f -a '$workloads'"
	awk_table '{
		gsub(/\047/, "\\\047", help)
		printf "complete -c %s", command
		if (letters != "")
			printf " -%s %s", length(letters) == 1 ? "s" : "o", letters
		if (long != "")
			printf " -l %s", long
		if (argument == "NEEDED")
			printf kind == "files" ? " -rF" : " -x"
		if (argument == "MAYBE")
			printf " -f"
		if (values != "" || kind == "folders")
			printf " -a \047%s\047", values != "" ? values : "(__fish_complete_directories)"
		printf " -d \047%s\047\n", help
	}'
} >"$1/$command.fish"
