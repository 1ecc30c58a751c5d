#!/bin/sh
# page.sh MANUAL...: prints the manuals as one HTML page that needs no other files.
set -eu
cat <<'PAGE'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>fpmove: manuals</title>
<style>
body { max-width: 50em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.45; }
pre, code { font-family: monospace; }
pre { overflow-x: auto; }
h1 { font-size: 1.25em; }
h2 { font-size: 1.05em; }
table.head, table.foot { display: none; }
table { border-collapse: collapse; }
td { padding: 0 0.6em 0 0; vertical-align: top; }
dd { margin-bottom: 0.6em; }
a.permalink { color: inherit; text-decoration: none; }
article { border-top: 3px solid; margin-top: 3em; }
</style>
</head>
<body>
<nav>
<h1>fpmove: manuals</h1>
<ul>
PAGE
for manual; do
	name=$(basename "$manual")
	printf '<li><a href="#%s">%s(%s)</a></li>\n' "$name" "${name%.*}" "${name##*.}"
done
printf '</ul>\n</nav>\n'
# Begins the ids of headings with the manual's name, since all manuals have headings of the same names.
for manual; do
	name=$(basename "$manual")
	printf '<article id="%s">\n' "$name"
	mandoc -T html -O fragment,man='#%N.%S' "$manual" |
		sed -e "s/ id=\"/&$name-/g; s/ href=\"#/&$name-/g; s/ href=\"#$name-\(\(lib\)*fpmove[a-z0-9-]*\.[137]\)\"/ href=\"#\1\"/g"
	printf '</article>\n'
done
printf '</body>\n</html>\n'
