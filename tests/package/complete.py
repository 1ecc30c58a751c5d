"""complete.py SHELL COMPLETIONS LINE...: prints for each LINE the completions of its last word by an interactive SHELL (bash or zsh) in this
folder, sorted, with semicolons between them."""
import os
import pty
import select
import sys

shell, completions, lines = sys.argv[1], sys.argv[2], sys.argv[3:]
# The commands print their words, and a key binding puts all candidates into the line.
start = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}[shell]
setup = {
    "bash": """PS1=; bind '"\\C-xa": insert-completions'; . '%s'""",
    "zsh": """PS1=; unsetopt beep; fpath=('%s' $fpath); autoload -Uz compinit; compinit -u -D; zmodload zsh/zle
zle -C all-matches complete-word _generic; zstyle ':completion:all-matches::::' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert true; bindkey '^Xa' all-matches""",
}[shell] % completions
child, terminal = pty.fork()
if child == 0:
    os.environ.update(TERM="dumb", PS1="", INPUTRC="/dev/null")
    os.execvp(start[0], start)


def read_until(word):
    text = ""
    while word not in text:
        if not select.select([terminal], [], [], 20)[0]:
            sys.exit("%s says no %s: %s" % (shell, word, text))
        text += os.read(terminal, 65536).decode("utf-8", "replace")
    return text


def shown(text):
    return [word[1:-1] for word in text.replace("\r", "").split("\n") if word.startswith("<")]


os.write(terminal, (setup + "\nfpmove() { printf '<%s>\\n' \"$@\"; echo END; }\nfpmove-gpu() { fpmove \"$@\"; }\necho READY\n").encode())
read_until("\nREADY")
for line in lines:
    os.write(terminal, line.encode() + b"\x18a\n")
    offered = shown(read_until("END\r\n"))[line.count(" ") - 1:]
    print(";".join(sorted(offered, key=lambda word: word.rstrip("="))))
os.close(terminal)
