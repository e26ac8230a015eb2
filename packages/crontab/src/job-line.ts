import { hasCutStep, readTimeField, timeFields, TimeFieldError } from "./time-field.ts";

/** `user` is the form of `crontab -l`; `system` has a user before the command, as in /etc/crontab and /etc/cron.d. */
export type CrontabForm = "user" | "system";

export type JobTime = CronTime | { readonly kind: "boot" };

interface CronTime {
  readonly kind: "cron";
  readonly expression: string;
  /** The time fields of the file, if a step is longer than its field: the expression has the longest step instead. */
  readonly written?: string;
}

interface Job {
  readonly time: JobTime;
  readonly user: string | null;
  readonly command: string;
}

interface Refusal {
  readonly reason: string;
}

const nicknames = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

/** The limit of Debian's cron. */
const commandBytesMax = 998;
const neither = "this line is neither a setting (NAME=value) nor a job (five time fields and a command)";

/** Parses a job, or explains why the line is not one. Rejects what Debian's cron rejects. */
export function parseJobLine(text: string, form: CrontabForm): Job | Refusal {
  const when = text.startsWith("@") ? splitNickname(text) : splitFields(text);
  if ("reason" in when) return when;
  const who = form === "system" ? splitUser(when.rest) : { user: null, rest: when.rest };
  if ("reason" in who) return who;
  const reason = refuseCommand(who.rest);
  return reason === null ? { time: when.time, user: who.user, command: who.rest } : { reason };
}

interface When {
  readonly time: JobTime;
  readonly rest: string;
}

function splitNickname(text: string): When | Refusal {
  const [, name = "", rest = ""] = /^([^ \t]+)[ \t]*(.*)$/s.exec(text) ?? [];
  if (name === "@reboot") return { time: { kind: "boot" }, rest };
  if (nicknames.has(name)) return { time: { kind: "cron", expression: name }, rest };
  if (/^@\d+$/.test(name))
    return {
      reason: `${name} means "seconds after the last run finished" in FreeBSD's cron. Add this task with: belfry task add --every`,
    };
  const lower = name.toLowerCase();
  if (nicknames.has(lower) || lower === "@reboot")
    return { reason: `cron rejects ${name}. Write it in lower case: ${lower}` };
  return { reason: `unknown nickname ${JSON.stringify(name)}. Use one of @reboot, ${[...nicknames].join(", ")}` };
}

function splitFields(text: string): When | Refusal {
  const [, times = "", rest = ""] = /^((?:[^ \t]+(?:[ \t]+|$)){1,5})(.*)$/s.exec(text) ?? [];
  const fields = times.trimEnd().split(/[ \t]+/);
  try {
    const expression = fields.map((field, index) => readTimeField(timeFields[index]!, field)).join(" ");
    const isCut = fields.some((field, index) => hasCutStep(timeFields[index]!, field));
    const written = isCut ? { written: fields.join(" ") } : {};
    if (fields.length === timeFields.length) return { time: { kind: "cron", expression, ...written }, rest };
  } catch (error) {
    if (!(error instanceof TimeFieldError)) throw error;
    const looksLikeJob = /^[\d*]/.test(text) || fields.length === timeFields.length;
    return { reason: looksLikeJob ? error.message : neither };
  }
  return { reason: `the ${timeFields[fields.length]!.name} is missing. A job has five time fields and a command` };
}

function splitUser(text: string): { readonly user: string; readonly rest: string } | Refusal {
  const [, user = "", rest = ""] = /^([^ \t]+)[ \t]*(.*)$/s.exec(text) ?? [];
  if (user === "") return { reason: "the user and the command are missing" };
  if (/^[A-Za-z_][\w.-]*\$?$/.test(user)) return { user, rest };
  return { reason: `${JSON.stringify(user)} is not a user name. Import a user's own crontab without --system` };
}

function refuseCommand(command: string): string | null {
  if (command === "") return "the command is missing";
  if (command.startsWith("%")) return 'the command before "%" is missing';
  if (command.startsWith("*"))
    return `the command starts with "*", which cron rejects. A crontab has five time fields, without seconds`;
  const bytes = new TextEncoder().encode(command).length;
  return bytes <= commandBytesMax
    ? null
    : `the command has ${bytes} bytes, but cron accepts at most ${commandBytesMax}. Move the command to a script`;
}
