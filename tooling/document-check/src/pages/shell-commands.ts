/**
 * Splits shell text into its simple commands, each as its words. It knows what documents use: quotes, comments, pipes,
 * lists, command substitutions, redirections and here-documents. A variable stays as it is written.
 */
export function splitCommands(shell: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const text = shell.replaceAll(/<<-?\s*'?(\w+)'?([^\n]*)\n[^]*?\n\1(?=\n|$)/g, "$2\n").replaceAll("\\\n", " ");
  const part =
    /[ \t]*(?:(#.*)|(\n|\|\||&&|[|;&()`]|\$\()|(\d?(?:>>|>|<)&?\s*[^\s;|&()]+)|((?:"(?:[^"\\]|\\[^])*"|'[^']*'|\\.|[^\s"'\\;|&()<>`])+))/y;
  let word: RegExpExecArray | null;
  while ((word = part.exec(text)) !== null) {
    const [, comment, separator, redirection, value] = word;
    if (separator !== undefined) commands.push([]);
    else if (value !== undefined) addWord(commands, value);
    else if (comment === undefined && redirection === undefined) break;
  }
  return commands.filter((command) => command.length > 0);
}

function addWord(commands: string[][], value: string): void {
  // what a quoted substitution runs is a command too
  for (const [, inner = ""] of value.matchAll(/\$\(([^)]*)\)/g))
    commands.unshift(...splitCommands(inner).map((one) => [...one]));
  commands.at(-1)!.push(value.replaceAll(/"((?:[^"\\]|\\[^])*)"|'([^']*)'|\\(.)/g, "$1$2$3"));
}

/** The words after `belfry`, if the command calls it: directly, under another program, or in a container. */
export function wordsOfBelfry([first = "", ...rest]: readonly string[]): readonly string[] | null {
  if (/^(?:\S*\/)?belfry$/.test(first)) return rest;
  if (/^\w+=/.test(first)) return wordsOfBelfry(rest);
  if (first === "docker") return rest[0] === "exec" ? wordsOfBelfry(rest.slice(2)) : null;
  if (first === "sudo") return wordsOfBelfry(rest[0] === "-u" ? rest.slice(2) : rest);
  return ["exec", "env", "setsid", "-f"].includes(first) ? wordsOfBelfry(rest) : null;
}
