# Puts files in the place of a line @style@ or @script@: the page needs nothing beside itself.
function put(names,    list, n, i, line) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++) {
		while ((getline line <list[i]) > 0)
			print line
		close(list[i])
	}
}
$0 == "@style@" { put(styles); next }
$0 == "@script@" { put(scripts); next }
{ print }
