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
const value = String.raw`(?:\d{1,2}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)`;
const element = String.raw`(?:\*|${value}(?:-${value})?)(?:/\d{1,3})?`;
const timeField = new RegExp(`^${element}(?:,${element})*$`, "i");
const fieldNames = ["minute", "hour", "day of the month", "month", "day of the week"];

/** When, as whom and what; or why the line is no job. Whether a number lies in its range is the daemon's to say. */
export function parseJobLine(line: string, form: CrontabForm): Job | Refusal {
  // cron's mark for "do not log this"; what is logged here is the run itself
  const text = line.replace(/^-/, "");
  const when = text.startsWith("@") ? splitNickname(text) : splitFields(text);
  if ("reason" in when) return when;
  const who = form === "system" ? splitUser(when.rest) : { user: null, rest: when.rest };
  if ("reason" in who) return who;
  if (who.rest === "") return { reason: "there is no command after the times" };
  return { time: when.time, user: who.user, command: who.rest };
}

interface When {
  readonly time: JobTime;
  readonly rest: string;
}

function splitNickname(text: string): When | Refusal {
  const [, name = "", rest = ""] = /^(\S+)[ \t]*(.*)$/s.exec(text) ?? [];
  if (name === "@reboot") return { time: { kind: "boot" }, rest };
  if (nicknames.has(name)) return { time: { kind: "cron", expression: name }, rest };
  if (name === "@every_minute") return { time: { kind: "cron", expression: "* * * * *" }, rest };
  if (/^@\d+$/.test(name)) {
    return { reason: `${name} (seconds after the last end) has no like: add the task with --every instead` };
  }
  return { reason: `${name} is not one of @reboot ${[...nicknames].join(" ")}` };
}

function splitFields(text: string): When | Refusal {
  const [, times = "", rest = ""] = /^((?:[^ \t]+(?:[ \t]+|$)){1,5})(.*)$/s.exec(text) ?? [];
  const fields = times.trimEnd().split(/[ \t]+/);
  for (const [index, field] of fields.entries()) {
    const reason = refuseField(field, fieldNames[index]!);
    if (reason !== null) return { reason };
  }
  if (fields.length < 5)
    return { reason: `a job has five times and a command; the ${fieldNames[fields.length]} is missing` };
  return { time: { kind: "cron", expression: fields.join(" ") }, rest };
}

function refuseField(field: string, name: string): string | null {
  if (timeField.test(field)) return null;
  if (field.includes("~")) {
    return `${field}: a random ${name} is chosen anew by each cron; write a fixed one, or add the task with --jitter`;
  }
  return `${JSON.stringify(field)} is no ${name}`;
}

function splitUser(text: string): { readonly user: string; readonly rest: string } | Refusal {
  const [, user = "", rest = ""] = /^(\S+)[ \t]*(.*)$/s.exec(text) ?? [];
  if (user === "") return { reason: "there is no user and no command after the times" };
  if (/^[A-Za-z_][\w.-]*\$?$/.test(user)) return { user, rest };
  return { reason: `${JSON.stringify(user)} is no user name; a user's own crontab is imported without --system` };
}
