import type { Command as Parser } from "commander";

/**
 * What the command line calls a member of the API, where that is not the same word: options without their dashes, or
 * arguments. A member stands for all below it.
 */
const words = new Map<string, readonly string[]>(
  Object.entries({
    authorization: ["authorization-file"],
    "command.script": ["shell"],
    "concurrency.limit": ["limit"],
    "concurrency.on_conflict": ["on-conflict"],
    "dst.gap": ["dst-gap"],
    "dst.overlap": ["dst-overlap"],
    endpoint: ["endpoint-file"],
    environment: ["env", "env-file", "unset-env"],
    expression: ["cron"],
    group_id: ["group"],
    "kind.boot": ["boot"],
    labels: ["label", "unlabel"],
    max_concurrent_runs: ["limit"],
    member_names: ["member"],
    "misfire.max_runs": ["missed-max"],
    "misfire.policy": ["missed"],
    "misfire.window": ["missed-window"],
    on_outcome: ["on"],
    "output.max_bytes": ["max-output"],
    parent_id: ["parent"],
    q: ["name"],
    "retention.age": ["keep-for"],
    "retention.runs": ["keep-runs"],
    "retry.delay": ["retry-delay"],
    "retry.max_attempts": ["retries"],
    scheduled_for: ["at"],
    signing_secret: ["signing-secret-file"],
    source_task_id: ["source"],
    standard_input: ["stdin"],
    success_exit_codes: ["success-exit"],
    target_task_id: ["task", "target"],
    task_id: ["task"],
    time_zone: ["tz"],
    working_directory: ["cwd"],
  }),
);

/** Members whose items are counted: from nothing on the wire, from one by people. */
const lists: readonly string[] = ["member_names", "success_exit_codes"];

/** The daemon's sentence about a member at fault, with the words of the command that was called. */
export function withOptionNames(command: Parser, field: string | null, message: string): string {
  if (field === null) return translate(command, message);
  // the place in a body says nothing to a person who typed no such body
  const member = field.replace(/^(?:(?:groups|tasks|schedules)\.\d+|draft)\./, "");
  const subject = wordFor(command, member) ?? member;
  // the daemon quotes a name that is no plain word
  const starts = [field, JSON.stringify(field), member];
  const rest = starts.find((start) => message.startsWith(start) && !/^\w/.test(message.slice(start.length)));
  return rest === undefined
    ? `${subject}: ${translate(command, message)}`
    : `${subject}${translate(command, message.slice(rest.length))}`;
}

/** Members that are named in a sentence, in backticks or by their underscores; what it quotes is somebody's own. */
function translate(command: Parser, sentence: string): string {
  return sentence.replaceAll(
    /`([a-z_]+)(?:: ("(?:[^"\\]|\\.)*"))?`|"(?:[^"\\]|\\.)*"|\b[a-z]+(?:_[a-z]+)+\b/g,
    (match: string, member: string | undefined, value: string | undefined) => {
      if (member !== undefined) return optionFor(command, member, value) ?? match;
      return (match.startsWith('"') ? null : wordFor(command, match)) ?? match;
    },
  );
}

/** `--every 5m` for `every: "5m"`; a value that is an option of its own, such as `kind: "boot"`, stands alone. */
function optionFor(command: Parser, member: string, quoted: string | undefined): string | null {
  if (quoted === undefined) return wordFor(command, member);
  const value = String(JSON.parse(quoted));
  const flags = words.get(`${member}.${value}`);
  if (flags !== undefined) return wordAmong(command, flags);
  const word = wordFor(command, member);
  return word === null ? null : `${word} ${/^[\w./:+-]+$/.test(value) ? value : quoted}`;
}

/** `--member number 2` for `member_names.1`; null where the command has no word for it. */
function wordFor(command: Parser, member: string): string | null {
  const path = member.split(".");
  for (let length = path.length; length > 0; length -= 1) {
    const known = path.slice(0, length).join(".");
    const names = words.get(known) ?? (length === 1 ? [known.replaceAll("_", "-")] : null);
    if (names === null) continue;
    const word = wordAmong(command, names);
    const below = path.slice(length).join(".");
    if (word === null || below === "") return word;
    return `${word} ${lists.includes(known) ? `number ${Number(below) + 1}` : below}`;
  }
  return null;
}

/** The option that was given, else the argument, else the option that could be. */
function wordAmong(command: Parser, names: readonly string[]): string | null {
  const options = command.options.filter(({ long, negate }) => !negate && names.some((name) => long === `--${name}`));
  const given = options.filter((option) => command.getOptionValue(option.attributeName()) !== undefined);
  // of two that were given, nobody knows which
  if (given.length > 1) return null;
  const argument = names.find((name) => command.registeredArguments.some((known) => known.name() === name));
  // what is read from a file can be typed too, and was
  const possible = options.find(({ long }) => long?.endsWith("-file") === false);
  return given[0]?.long ?? argument ?? possible?.long ?? null;
}
