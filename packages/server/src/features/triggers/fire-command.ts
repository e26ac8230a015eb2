/**
 * Writes a command that works in any POSIX shell. It reads the key from the first line of its standard input and pipes
 * it to curl, so that no process list shows the key. The braces apply a `< file` after them to the whole command.
 */
export function fireCommand(socketPath: string): string {
  const toJson = `sed -n '1{s/[[:space:]]*$//;s/.*/{"key":"&"}/p;q;}'`;
  const post = [
    "curl --silent --show-error --fail-with-body",
    `--unix-socket ${quote(socketPath)}`,
    "--header 'Content-Type: application/json'",
    "--data-binary @- http://belfry/v1/triggers/fire",
  ];
  return `{ ${toJson} | ${post.join(" ")}; }`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
