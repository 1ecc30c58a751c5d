# Replaces the lines @style@ and @script@ by the contents of files, so that the page needs no other files.
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
