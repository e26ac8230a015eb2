export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** The word after `belfry` that asks for completions. The words of the command line follow. */
export const completionCommand = "__complete";

/**
 * Each script asks the command itself, so that it also completes names: the one that was typed, such as `./belfry`, or
 * `belfry` if the typed word is no command, such as an alias.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `# belfry completion for bash
_belfry() {
  local word command=\${1/#\\~\\//$HOME/}
  type -P -- "$command" >/dev/null || command=belfry
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf %q "$word")")
  done < <("$command" ${completionCommand} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _belfry belfry
`,
  zsh: `#compdef belfry
# belfry completion for zsh
_belfry() {
  local -a found
  local command=\${\${(Q)words[1]}/#\\~\\//$HOME/}
  whence -p -- "$command" >/dev/null || command=belfry
  found=("\${(@f)$("$command" ${completionCommand} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if (( \${#found} )); then compadd -U -a found; else _files; fi
}
compdef _belfry belfry
`,
  fish: `# belfry completion for fish
function __belfry_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l command (string replace -r '^~/' "$HOME/" -- $words[1])
  command -sq -- $command; or set command belfry
  set -l found ($command ${completionCommand} -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c belfry -f -a '(__belfry_complete)'
`,
};
