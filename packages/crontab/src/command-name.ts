/** A command of a shell line, and the operator after it. Quotes are ignored: this only finds a name. */
const step = /([^&|;\n]+)(&&|\|\||[&|;\n]|$)/g;
const guard = /^(?:(?:\[|test)\s+-x|command\s+-v)\s+(\S+)/;
// a quote only ever opens a quoted part: if each could be read in two ways, many of them would take exponential time
const opening = /^(?:[\s({!]|(?:if|then|do)\s|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"'])*\s)+/;
const setup = /^(?:cd|test|\[|command|\.|source|set|export|umask|sleep|true|:)$/;

/** A program that runs another one: the letters of its options that take a value, and its words before the other. */
interface Wrapper {
  readonly valued?: string;
  readonly operands?: number;
}

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["chronic", {}],
  ["env", { valued: "uC" }],
  ["exec", { valued: "a" }],
  ["flock", { valued: "wE", operands: 1 }],
  ["ionice", { valued: "cn" }],
  ["nice", { valued: "n" }],
  ["nohup", {}],
  ["setsid", {}],
  ["sudo", { valued: "ghpu" }],
  ["systemd-cat", { valued: "pt" }],
  ["time", { valued: "fo" }],
  ["timeout", { valued: "ks", operands: 1 }],
]);
const shell = /^(?:ba|da|k|z)?sh$/;
const interpreter = /^(?:node|perl|php|python|ruby)[\d.]*$/;

/** The main program of a command, after `cd`, `nice` and assignments. For `[ -x P ] && …` it is P. */
export function nameFromCommand(script: string): string {
  for (const [, text = "", operator] of script.matchAll(step)) {
    const simple = text.replace(opening, "").trim();
    const guarded = operator === "||" ? undefined : guard.exec(simple)?.[1];
    if (guarded !== undefined) return baseName(guarded);
    const [program = "", ...rest] = unwrap(wordsOf(simple));
    if (program === "" || setup.test(program)) continue;
    const isDirectory = /(?:^|\/)run-parts$/.test(program);
    return baseName((isDirectory ? rest.find((word) => !word.startsWith("-")) : undefined) ?? program);
  }
  return baseName(script.trim().split(/\s+/)[0] ?? "");
}

/** Leaves out what only runs something else: `nice -n 10`, `bash -c`, and `python3` before its script. */
function unwrap(words: readonly string[]): readonly string[] {
  const name = baseName(words[0] ?? "");
  const wrapper = wrappers.get(name);
  // `-d` is an option of php
  const { valued = "", operands = 0 } = wrapper ?? { valued: "d" };
  const afterOptions = (from: number): number => {
    let at = from;
    for (let word = words[at]; word?.startsWith("-") === true; word = words[at])
      at += word.length === 2 && valued.includes(word[1]!) ? 2 : 1;
    return at;
  };
  const start = afterOptions(afterOptions(1) + operands);
  const rest = words.slice(start);
  if (rest.length === 0) return words;
  const hasCode = words.slice(1, start).some((option) => /^-\w*[cer]$/.test(option));
  if (wrapper !== undefined || (shell.test(name) && hasCode)) {
    const inner = rest.join(" ");
    return unwrap(wordsOf((hasCode ? inner.replaceAll(/["']/g, "") : inner).replace(opening, "")));
  }
  return shell.test(name) || (interpreter.test(name) && !hasCode) ? rest : words;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
}

function baseName(path: string): string {
  const bare = path.replaceAll(/["'`$(){}\p{Cc}]/gu, "").replace(/\/+$/, "");
  return bare.slice(bare.lastIndexOf("/") + 1) || "job";
}
