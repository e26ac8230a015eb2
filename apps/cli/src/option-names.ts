import type { Command as Parser } from "commander";

/**
 * Options (without dashes) and arguments by the member of the API that they set, where the names differ. An entry also
 * applies to the members below it.
 */
const namesByMember = new Map<string, readonly string[]>(
  Object.entries({
    actor_id: ["actor"],
    authorization: ["authorization-file"],
    channel_id: ["channel"],
    "command.script": ["shell"],
    "concurrency.key": ["concurrency-key"],
    "concurrency.limit": ["limit"],
    "concurrency.on_conflict": ["on-conflict"],
    confirm_installation_id: ["confirm"],
    display_name: ["name"],
    "dst.gap": ["dst-gap"],
    "dst.overlap": ["dst-overlap"],
    ended: ["active"],
    endpoint: ["endpoint-file"],
    environment: ["env", "env-from", "unset-env"],
    expect_success_within: ["expect-success"],
    expires_at: ["expires"],
    expression: ["cron"],
    group_id: ["group"],
    grouped: ["ungrouped"],
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
    passphrase: ["passphrase-file"],
    path: ["directory", "file"],
    q: ["name"],
    resource_id: ["resource"],
    "retention.age": ["keep-for"],
    "retention.bytes": ["keep-bytes"],
    "retention.runs": ["keep-runs"],
    "retry.delay": ["retry-delay"],
    "retry.max_attempts": ["retries"],
    run_id: ["run"],
    scheduled_for: ["at"],
    signing_secret: ["signing-secret-file"],
    source_task_id: ["source"],
    standard_input: ["stdin"],
    success_exit_codes: ["success-exit"],
    target_task_id: ["task", "target"],
    task_id: ["task"],
    task_ids: ["task"],
    time_zone: ["tz"],
    working_directory: ["cwd"],
  }),
);

/** Words for members that no single option sets, in the commands that have this option or argument. */
const plainNames: readonly { readonly member: RegExp; readonly needs: string; readonly words: string }[] = [
  { member: /^command\.arguments\b/, needs: "program", words: "the arguments of the program" },
  { member: /^command\.program$/, needs: "program", words: "the program" },
  { member: /^command\b/, needs: "program", words: "the command" },
  { member: /^assignments\b/, needs: "on-any", words: "the channel" },
];

/** Lists. Their items count from 0 in the API and from 1 in messages. */
const lists: readonly string[] = ["advertise", "member_names", "success_exit_codes"];

/** Replaces the member names in an error of the daemon with the option names of the command. */
export function withOptionNames(command: Parser, field: string | null, message: string): string {
  if (field === null) return translate(command, message);
  // the position in the request body is an internal detail
  const member = field.replace(/^(?:(?:groups|tasks|schedules)\.\d+|draft)\./, "");
  const option = optionNameFor(command, member);
  // the file is fine: its text is not
  const named = option?.endsWith("-file") === true ? `the text in ${option}` : option;
  const subject = named ?? plainNameFor(command, member) ?? member;
  // the daemon quotes names with special characters
  const starts = [field, JSON.stringify(field), member];
  const rest = starts.find((start) => message.startsWith(start) && !/^\w/.test(message.slice(start.length)));
  if (rest !== undefined) return `${subject}${translate(command, message.slice(rest.length))}`;
  // a sentence with a subject of its own needs no other one, except an option that can be changed
  const isWhole = !subject.startsWith("--") && /^(?:a|an|the|this|no|there is no) /.test(message);
  return `${isWhole ? "" : `${subject}: `}${translate(command, message)}`;
}

/** Replaces members in backticks or with underscores. Quoted text is a value and stays. */
function translate(command: Parser, sentence: string): string {
  return sentence.replaceAll(
    /`([a-z_]+)(?:: ("(?:[^"\\]|\\.)*"))?`|"(?:[^"\\]|\\.)*"|\b[a-z]+(?:_[a-z]+)+\b/g,
    (match: string, member: string | undefined, value: string | undefined) => {
      if (member !== undefined) return optionFor(command, member, value) ?? match;
      return (match.startsWith('"') ? null : optionNameFor(command, match)) ?? match;
    },
  );
}

/** `--every 5m` for `every: "5m"`, or `--boot` for `kind: "boot"`, which has an option of its own. */
function optionFor(command: Parser, member: string, quoted: string | undefined): string | null {
  if (quoted === undefined) return optionNameFor(command, member);
  const value = String(JSON.parse(quoted));
  const flags = namesByMember.get(`${member}.${value}`);
  if (flags !== undefined) return chooseName(command, flags);
  const name = optionNameFor(command, member);
  return name === null ? null : `${name} ${/^[\w./:+-]+$/.test(value) ? value : quoted}`;
}

/** `--member number 2` for `member_names.1`; null if the command has no option for it. */
function optionNameFor(command: Parser, member: string): string | null {
  const path = member.split(".");
  for (let length = path.length; length > 0; length -= 1) {
    const known = path.slice(0, length).join(".");
    const names = namesByMember.get(known) ?? (length === 1 ? [known.replaceAll("_", "-")] : null);
    if (names === null) continue;
    const name = chooseName(command, names);
    const below = path.slice(length).join(".");
    if (name === null || below === "") return name;
    return `${name} ${lists.includes(known) ? `number ${Number(below) + 1}` : below}`;
  }
  return null;
}

function plainNameFor(command: Parser, member: string): string | null {
  const known = plainNames.find((one) => one.member.test(member) && isDeclared(command, one.needs));
  return known?.words ?? null;
}

function isDeclared(command: Parser, name: string): boolean {
  return (
    command.options.some(({ long }) => long === `--${name}`) ||
    command.registeredArguments.some((known) => known.name() === name)
  );
}

/** The option that was given, or else the argument, or else an option that could be given. */
function chooseName(command: Parser, names: readonly string[]): string | null {
  const options = command.options.filter(({ long, negate }) => !negate && names.some((name) => long === `--${name}`));
  const given = options.filter((option) => command.getOptionValue(option.attributeName()) !== undefined);
  // ambiguous if several were given
  if (given.length > 1) return null;
  const argument = names.find((name) => command.registeredArguments.some((known) => known.name() === name));
  // a value that was not read from a file was typed at the prompt
  const possible = options.find(({ long }) => long?.endsWith("-file") === false);
  return given[0]?.long ?? argument ?? possible?.long ?? null;
}
