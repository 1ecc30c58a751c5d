#!/bin/sh
# Shell completions out of the table of options: completions.sh DIR writes DIR/fpmove.bash,
# DIR/fpmove.zsh and DIR/fpmove.fish.
set -eu
here=$(dirname "$0")
mkdir -p "$1"

# One option a line, fields parted by tabs: letters, long name, argument, its name,
# help on one line.
table=$(sed -n 's/^OPTION([A-Z_]*, "\([^"]*\)", "\([^"]*\)", \([A-Z]*\), "\([^"]*\)", "\(.*\)")$/\1\t\2\t\3\t\4\t\5/p' \
	"$here/../cli/options.def" | sed 's/\\n/ /g')
files='FILE|FILE.h|FILE.c|DIR|FROM|REPORT'

{
	echo '# bash completion of fpmove'
	echo '_fpmove() {'
	echo '	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}'
	echo '	case $before in'
	echo '	--color) COMPREPLY=($(compgen -W "always never auto" -- "$word")); return ;;'
	echo '	--precision) COMPREPLY=($(compgen -W "float fp24" -- "$word")); return ;;'
	echo '	-o|--output|-I) COMPREPLY=($(compgen -d -- "$word")); return ;;'
	echo '	esac'
	printf '	if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "'
	echo "$table" | awk -F '\t' '{ if ($1 != "") printf "-%s ", $1; if ($2 != "") printf "--%s%s ", $2, $3 == "NEEDED" ? "=" : "" }'
	echo '" -- "$word"))'
	echo '		[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace'
	echo '	else COMPREPLY=($(compgen -f -- "$word")); fi'
	echo '}'
	echo 'complete -o filenames -F _fpmove fpmove'
} >"$1/fpmove.bash"

{
	echo '#compdef fpmove'
	echo '_arguments -s \'
	echo "$table" | awk -F '\t' -v files="^($files)$" '
		{
			help = $5
			gsub(/[\[\]:]/, "", help)
			gsub(/\047/, "\047\\\047\047", help)
			action = $4 ~ /^DIR$/ ? ":directory:_directories" : $4 ~ files ? ":file:_files" : ":" tolower($4) ":"
			if ($2 != "")
				printf "\t\047--%s%s[%s]%s\047 \\\n", $2, $3 == "NEEDED" ? "=" : $3 == "MAYBE" ? "=-" : "", help,
				       $3 == "NONE" ? "" : $3 == "MAYBE" ? ":" action : action
			if ($1 != "")
				printf "\t\047-%s%s[%s]%s\047 \\\n", $1, $3 == "NEEDED" ? "+" : "", help, $3 == "NONE" ? "" : action
		}'
	echo "	'*:program:_files'"
} >"$1/fpmove.zsh"

{
	echo '# fish completion of fpmove'
	echo "$table" | awk -F '\t' -v files="^($files)$" '
		{
			help = $5
			gsub(/\047/, "\\\047", help)
			printf "complete -c fpmove"
			if ($1 != "")
				printf " %s %s", length($1) == 1 ? "-s" : "-o", $1
			if ($2 != "")
				printf " -l %s", $2
			if ($3 == "NEEDED")
				printf $4 ~ files ? " -rF" : " -x"
			printf " -d \047%s\047\n", help
		}'
	echo "complete -c fpmove -l color -xa 'always never auto'"
	echo "complete -c fpmove -l precision -xa 'float fp24'"
} >"$1/fpmove.fish"
