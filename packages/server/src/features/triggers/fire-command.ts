/**
 * A command for any POSIX shell, to be pasted as it is: it takes the first line of its standard input for the key, and
 * curl is told of it by a pipe, so that no process list shows it. In braces, so that `< file` behind it feeds the whole.
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
