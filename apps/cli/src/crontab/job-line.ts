import { readTimeField, timeFields, TimeFieldError } from "./time-field.ts";

/** `user` is what `crontab -l` prints; `system` has a user before the command, as in /etc/crontab and /etc/cron.d. */
export type CrontabForm = "user" | "system";

export type JobTime = { readonly kind: "cron"; readonly expression: string } | { readonly kind: "boot" };

interface Job {
  readonly time: JobTime;
  readonly user: string | null;
  readonly command: string;
}

interface Refusal {
  readonly reason: string;
}

const nicknames = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

/** Of Debian's cron. */
const commandBytesMax = 998;
const neither = "this is neither a setting (NAME=value) nor a job (five times and a command)";

/** When, as whom and what; or why the line is no job. What Debian's cron refuses is refused here. */
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
    return { reason: `${name} means seconds after the last run ended in FreeBSD's cron: add the task with --every` };
  const lower = name.toLowerCase();
  if (nicknames.has(lower) || lower === "@reboot")
    return { reason: `${name} is refused by cron: write ${lower}, in lower case` };
  return { reason: `${JSON.stringify(name)} is not one of @reboot ${[...nicknames].join(" ")}` };
}

function splitFields(text: string): When | Refusal {
  const [, times = "", rest = ""] = /^((?:[^ \t]+(?:[ \t]+|$)){1,5})(.*)$/s.exec(text) ?? [];
  const fields = times.trimEnd().split(/[ \t]+/);
  try {
    const expression = fields.map((field, index) => readTimeField(timeFields[index]!, field)).join(" ");
    if (fields.length === timeFields.length) return { time: { kind: "cron", expression }, rest };
  } catch (error) {
    if (!(error instanceof TimeFieldError)) throw error;
    const isLikeJob = /^[\d*]/.test(text) || fields.length === timeFields.length;
    return { reason: isLikeJob ? error.message : neither };
  }
  return { reason: `a job has five times and a command: the ${timeFields[fields.length]!.name} is missing` };
}

function splitUser(text: string): { readonly user: string; readonly rest: string } | Refusal {
  const [, user = "", rest = ""] = /^([^ \t]+)[ \t]*(.*)$/s.exec(text) ?? [];
  if (user === "") return { reason: "there is no user and no command after the times" };
  if (/^[A-Za-z_][\w.-]*\$?$/.test(user)) return { user, rest };
  return { reason: `${JSON.stringify(user)} is not a user name. Import a user's own crontab without --system` };
}

function refuseCommand(command: string): string | null {
  if (command === "" || command.startsWith("%")) return "there is no command after the times";
  if (command.startsWith("*"))
    return `the command begins with "*", which cron refuses: a crontab has five times, and none for seconds`;
  const bytes = Buffer.byteLength(command);
  return bytes <= commandBytesMax
    ? null
    : `the command has ${bytes} bytes, and cron refuses more than ${commandBytesMax}. Move it into a script`;
}
