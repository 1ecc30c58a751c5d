#!/bin/sh
# rules.sh FPMOVE PAGE: prints the manual PAGE, with the list of rules in place of the line @RULES@.  The command FPMOVE knows the
# rules.
set -eu
sed '/^@RULES@$/,$d' "$2"
for id in $("$1" --rules | cut -d' ' -f1); do
	"$1" --rules="$id"
	echo
done | awk '
	{ gsub(/\\/, "\\e"); gsub(/-/, "\\-") }
	/^[^ ]/ { sub(/ \(error\)/, ""); print ".SS " $0; next }
	/^    / { sub(/^    /, ""); print; next }
	/^  [a-z]+:$/ { print ".PP\n" substr($0, 3) "\n.EX"; code = 1; next }
	/^  source: / { print ".br\nSource: " substr($0, 11) "."; next }
	/^  / { print substr($0, 3) "."; next }
	code { print ".EE"; code = 0 }'
sed '1,/^@RULES@$/d' "$2"
