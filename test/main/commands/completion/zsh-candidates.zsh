# Prints what zsh offers for a line: `zsh -f zsh-candidates.zsh SCRIPT FOLDER LINE`. A shell of its own on a pseudo-terminal
# gets the line and a tab; its `compadd` writes what it is to offer into a file before it goes on as usual.
zmodload zsh/zpty
script=$1 folder=$2 line=$3
found=$(mktemp)
ready=$(mktemp)
zpty shell zsh -f -i
zpty -w shell "PS1= ; cd ${(q)folder}; autoload -Uz compinit; compinit -u -D; source ${(q)script}"
zpty -w shell "compadd() {
    if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd \"\$@\"; return \$?; fi
    local -a __hits; builtin compadd -A __hits \"\$@\"
    print -rl -- \$__hits >> $found
    builtin compadd \"\$@\"
}"
zpty -w shell "after() { print done > $ready }; comppostfuncs=(after); print set > $ready"
until [[ -s $ready ]]; do sleep 0.05; done
: > $ready
zpty -w -n shell "$line"$'\t'
until [[ -s $ready ]]; do zpty -r -t shell _ ; sleep 0.05; done
grep -v '^$' $found | sort -u
zpty -d shell
rm -f $found $ready
