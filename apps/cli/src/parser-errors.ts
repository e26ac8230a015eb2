import { similarNames } from "@belfry/contract";
import type { Command as Parser } from "commander";
import { quoteName } from "./output/hints.ts";
import { escapeUnsafe } from "./output/width.ts";

/** What people type for a subcommand that has another name here. Only names that exist in the family are suggested. */
const synonyms = mapOf({
  abort: ["cancel"],
  activate: ["enable"],
  cat: ["show", "logs"],
  change: ["edit"],
  continue: ["resume"],
  create: ["add"],
  deactivate: ["disable"],
  del: ["delete", "remove"],
  delete: ["remove", "revoke"],
  describe: ["show"],
  exec: ["run", "fire"],
  execute: ["run", "fire"],
  get: ["show"],
  history: ["list"],
  info: ["show", "status"],
  inspect: ["show"],
  key: ["reveal"],
  kill: ["cancel", "stop"],
  log: ["logs"],
  make: ["add"],
  modify: ["edit"],
  move: ["edit"],
  new: ["add"],
  next: ["preview"],
  off: ["disable"],
  on: ["enable"],
  output: ["logs"],
  ping: ["test"],
  receive: ["listen"],
  regenerate: ["rotate"],
  register: ["add"],
  remove: ["delete", "clear"],
  rename: ["edit"],
  repeat: ["rerun"],
  replay: ["redeliver", "rerun"],
  resend: ["redeliver"],
  restart: ["rerun"],
  retry: ["rerun", "redeliver"],
  rm: ["clear", "revoke"],
  secret: ["rotate"],
  select: ["use"],
  set: ["edit"],
  snooze: ["pause"],
  start: ["run", "enable", "resume"],
  stop: ["cancel", "disable", "pause"],
  switch: ["use"],
  tail: ["logs"],
  terminate: ["cancel"],
  tree: ["graph"],
  trigger: ["fire", "run"],
  try: ["test"],
  unarchive: ["restore"],
  unpause: ["resume"],
  update: ["edit"],
  view: ["show"],
});

/** The same for the first argument, where a subcommand may be meant. */
const topLevelSynonyms = mapOf({
  add: ["task add"],
  archive: ["task archive"],
  cancel: ["run cancel"],
  check: ["doctor"],
  connect: ["enroll"],
  context: ["profile"],
  create: ["task add"],
  cron: ["schedule add", "import crontab"],
  crontab: ["import crontab"],
  disable: ["task disable"],
  edit: ["task edit"],
  enable: ["task enable"],
  exec: ["task run"],
  fire: ["trigger fire"],
  health: ["daemon status", "doctor"],
  history: ["run list"],
  job: ["task"],
  jobs: ["task list"],
  kill: ["run cancel"],
  list: ["task list"],
  log: ["run logs"],
  login: ["enroll"],
  maintenance: ["hold"],
  new: ["task add"],
  next: ["agenda"],
  notification: ["notify", "channel"],
  notifications: ["notify", "channel"],
  pause: ["hold", "schedule pause", "task disable"],
  rerun: ["run rerun"],
  restore: ["backup restore", "task restore"],
  resume: ["release", "schedule resume", "task enable"],
  serve: ["daemon run"],
  show: ["task show", "run show"],
  start: ["task run", "daemon run"],
  stop: ["run cancel", "task disable", "daemon stop"],
  suspend: ["hold", "schedule pause", "task disable"],
  unpause: ["release", "schedule resume", "task enable"],
  upcoming: ["agenda"],
  version: ["--version"],
});

/** What people type for a subcommand of `task`, and where it is. */
const elsewhere = mapOf({
  cancel: ["run cancel <task>"],
  history: ["run list --task <task>"],
  hold: ["hold --group <group>", "task disable <task>"],
  kill: ["run cancel <task>"],
  log: ["run logs <task>"],
  logs: ["run logs <task>"],
  next: ["schedule preview <task>"],
  output: ["run logs <task>"],
  pause: ["schedule pause <task>"],
  resume: ["schedule resume <task>"],
  runs: ["run list --task <task>"],
  stop: ["run cancel <task>", "task disable <task>"],
  unpause: ["schedule resume <task>"],
  why: ["why <task>"],
});

/** The daemon runs in the foreground, so only what started it can start it again. */
const restartHint =
  "Restart a service with: systemctl --user restart belfry\nElsewhere, use: belfry daemon stop, and then: belfry daemon run";

/** Options of one command that are not in it, because another command does what they are meant to do. */
const otherCommands: readonly { readonly command: RegExp; readonly option: RegExp; readonly hint: string }[] = [
  {
    command: / task edit$/,
    option: /^--(?:cron|every|at|boot|tz|jitter|spread|missed(?:-.*)?|dst-.*|(?:starts|ends)-at)$/,
    hint: "To change the times of a task, use: belfry schedule edit <task>",
  },
  {
    command: / actor edit$/,
    option: /^--(?:en|dis)abled?$/,
    hint: "Use --state active, or --state disabled",
  },
  {
    command: / task (?:add|edit)$/,
    option: /^--(?:notify|channel|mail(?:-?to)?|e-?mail|on-(?:failure|success|any))$/,
    hint: "Add a channel with: belfry channel add <channel>\nThen notify it with: belfry notify set <task> --on-failure <channel>",
  },
  {
    command: / hold$/,
    option: /^--(?:task|schedule)$/,
    hint: "A hold is for all tasks or for a group. For one task, use: belfry schedule pause <task>\nUntil you enable it again, use: belfry task disable <task>",
  },
];

/** What people type for an option that has another name here. Only options of the command are suggested. */
const optionSynonyms = mapOf({
  command: ["shell"],
  concurrency: ["limit"],
  count: ["limit", "tail"],
  days: ["until"],
  delay: ["jitter", "retry-delay"],
  dir: ["cwd", "data-dir"],
  directory: ["cwd"],
  endpoint: ["endpoint-file"],
  environment: ["env"],
  "env-file": ["env-from"],
  for: ["until"],
  from: ["since"],
  interval: ["every"],
  key: ["key-file"],
  lines: ["tail"],
  "max-concurrent": ["limit"],
  "max-parallel": ["limit"],
  "no-env": ["unset-env"],
  "no-label": ["unlabel"],
  number: ["limit", "tail"],
  parallel: ["limit"],
  passphrase: ["passphrase-file"],
  persistent: ["missed"],
  restart: ["retries"],
  retry: ["retries"],
  schedule: ["cron", "every"],
  script: ["shell"],
  status: ["state", "outcome"],
  tag: ["label"],
  time: ["at"],
  timezone: ["tz"],
  "time-zone": ["tz"],
  user: ["run-as"],
  workdir: ["cwd"],
  "working-directory": ["cwd"],
});

/** Rewords an error of the parser like the errors of this command: a sentence, and what to do. */
export function rewordParserError(text: string, parser: Parser, argv: readonly string[]): string {
  // the parser's own suggestions may be far from what was typed
  const [, message = text] = /^error: (.*?)\n?(?:\(Did you mean .*\?\))?\n*$/s.exec(text) ?? [];
  const unknown = /^unknown command '(.*)'$/s.exec(message)?.[1];
  const option = /^unknown option '(.*)'$/s.exec(message)?.[1];
  const hint =
    (unknown !== undefined && (suggestCommand(unknown, parser) || startHint(unknown, parser))) ||
    (option !== undefined && (suggestOption(option, parser) || hintProgram(option, parser, argv))) ||
    `See: ${pathOf(parser)} --help`;
  return escapeUnsafe(`belfry: ${reword(message, parser)}\n${hint}\n`);
}

function suggestOption(typed: string, parser: Parser): string {
  if (typed === "-v") return "Did you mean -V?";
  if (!typed.startsWith("--")) return "";
  const other = otherCommands.find(
    ({ command, option }) => command.test(pathOf(parser)) && option.test(typed.replace(/=.*$/s, "")),
  );
  if (other !== undefined) return other.hint;
  const states = /^--(?:no-)?(?:en|dis)abled?(?:=|$)/.test(typed) ? hintStates(parser) : "";
  if (states !== "") return states;
  const name = typed.slice("--".length).replace(/=.*$/s, "").toLowerCase();
  if (parser.registeredArguments.some((argument) => argument.name() === name))
    return `Give the ${name} without an option: ${pathOf(parser)} <${name}>`;
  const known = optionsOf(parser);
  const meant = (optionSynonyms.get(name) ?? []).filter((synonym) => known.includes(synonym));
  return askFor((meant.length > 0 ? meant : similarTo(name, known)).map((long) => `--${long}`));
}

/** `task edit x --disabled`: what turns a resource on and off is a command of its own. */
function hintStates(parser: Parser): string {
  if (parser.parent === null || parser.name() !== "edit") return "";
  const family = parser.parent;
  const resource = parser.registeredArguments
    .filter(({ required }) => required)
    .map((argument) => `<${argument.name()}>`);
  const toggles = family.commands.filter((command) => ["disable", "enable"].includes(command.name()));
  const uses = toggles.map((command) => [pathOf(command), ...resource].join(" "));
  return uses.length === 0 ? "" : `Use: ${uses.join(", or: ")}`;
}

/** `task add x nice -n 10 backup`: the option is one of the program. */
function hintProgram(typed: string, parser: Parser, argv: readonly string[]): string {
  const takesProgram = parser.registeredArguments.some((argument) => argument.name() === "program");
  return takesProgram && !argv.includes("--")
    ? `Put the command after --, with its option ${typed.replace(/=.*$/s, "")}`
    : "";
}

function suggestCommand(typed: string, parser: Parser): string {
  const others = parser.name() === "task" ? elsewhere.get(typed.toLowerCase()) : undefined;
  if (others !== undefined) return `Use: ${others.map((other) => `belfry ${other}`).join(", or: ")}`;
  const isTopLevel = parser.parent === null;
  if ((isTopLevel || parser.name() === "daemon") && typed.toLowerCase() === "restart") return restartHint;
  const known = parser
    .createHelp()
    .visibleCommands(parser)
    .map((command) => command.name());
  const meant = isTopLevel
    ? (topLevelSynonyms.get(typed.toLowerCase()) ?? [])
    : (synonyms.get(typed.toLowerCase()) ?? []).filter((name) => known.includes(name));
  return askFor(meant.length > 0 ? meant : similarTo(typed, known));
}

/** The options of the command and of the commands above it, without dashes. */
function optionsOf(parser: Parser): readonly string[] {
  const own = parser.createHelp().visibleOptions(parser);
  const names = own.flatMap(({ long }) => (typeof long === "string" ? long.slice("--".length) : []));
  return parser.parent === null
    ? names
    : [...names, ...optionsOf(parser.parent).filter((name) => !names.includes(name))];
}

/** Those that begin as typed, if there are any: a name that only contains the word is most often another one. */
function similarTo(typed: string, known: readonly string[]): readonly string[] {
  const similar = similarNames(typed, known);
  const longer = similar.filter((name) => name.startsWith(typed.toLowerCase()));
  return longer.length > 0 ? longer : similar;
}

function askFor(names: readonly string[]): string {
  const listed = names.length > 2 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names.join(" or ");
  return names.length === 0 ? "" : `Did you mean ${listed}?`;
}

/** `belfry run "Nightly backup"` looks right, but `run` manages runs. */
function startHint(typed: string, parser: Parser): string {
  return parser.name() === "run" ? `To start a task, use: belfry task run ${quoteName(typed)}` : "";
}

function reword(message: string, parser: Parser): string {
  const argument = /^missing required argument '(.*)'$/.exec(message)?.[1];
  if (argument !== undefined) {
    const summary = parser.registeredArguments.find((known) => known.name() === argument)?.description ?? "";
    return `missing argument <${argument}>${summary === "" ? "" : `: ${summary}`}`;
  }
  const flags = /^option '(.*)' argument missing$/.exec(message)?.[1];
  return flags === undefined ? message : `missing value for ${flags}`;
}

function pathOf(parser: Parser): string {
  return parser.parent === null ? parser.name() : `${pathOf(parser.parent)} ${parser.name()}`;
}

/** A map, because a plain object also has members such as `constructor`. */
function mapOf(entries: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(entries));
}
