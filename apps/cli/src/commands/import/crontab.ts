import { linesMax, parseCrontab, usersOf } from "@belfry/crontab";
import { defineLocalCommand } from "../../command.ts";
import { socketPathFor } from "../../connect.ts";
import { findDaemonUser, findUsers } from "../../crontab/accounts.ts";
import { planImportWith } from "../../crontab/checked-plan.ts";
import { readCronEnvironment } from "../../crontab/cron-environment.ts";
import { describeImport, explainRefused, hiddenText, linesToShow, reportColumns } from "../../crontab/report.ts";
import { readSource } from "../../crontab/source.ts";
import { refuseIgnoredCrontab } from "../../crontab/ignored-crontab.ts";
import { findUserWords, refuseSystemCrontab } from "../../crontab/system-crontab.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { findGroup } from "../../find/group.ts";
import { flag, text } from "../../options.ts";

export const command = defineLocalCommand({
  arguments: [{ name: "file", summary: "crontab file; - (the default) reads standard input", isOptional: true }],
  options: {
    dryRun: flag("--dry-run", "show what would happen to each line, without importing"),
    system: flag("--system", "read a system crontab, with the user of each job before its command"),
    user: flag("--user", "treat the file as a user's crontab, even if it looks like a system crontab"),
    runAsMe: flag("--run-as-me", "run the jobs of other users as the daemon's user, instead of as their own"),
    skipUnsupported: flag("--skip-unsupported", "skip lines that cannot be imported, instead of rejecting the file"),
    group: text("--group <name>", "name of the new group (default: the file's name, or crontab for standard input)"),
    parent: text(
      "--parent <group>",
      "existing group to create the new group in; it inherits that group's settings (default none)",
    ),
    catchUp: flag("--catch-up", "run a job once if it missed times while the daemon was down; cron skips missed times"),
    noOverlap: flag("--single", "skip a scheduled time while the job is still running; cron starts the job anyway"),
  },
  details:
    "The file becomes one group with a task and a schedule for each job. If any line cannot be imported, nothing is imported, unless --skip-unsupported is given. Remove the jobs from cron afterwards, or they run twice.",
  examples: [
    ["crontab -l | belfry import crontab - --dry-run", "preview an import of your crontab"],
    ["crontab -l | belfry import crontab - --group mine", "import your crontab"],
    ["sudo belfry import crontab /etc/cron.d/php --system", "import a system crontab into root's daemon"],
  ],
  run: async ({ connect, args: [path], options, location, host, out }) => {
    if (options.system === true && options.user === true)
      throw usage("--system and --user cannot be combined. Use one of them");
    const form = options.system === true ? "system" : "user";
    const source = await readSource(path, host);
    const lines = parseCrontab(source.text, form);
    if (lines.length > linesMax)
      throw usage(`${source.name} has ${lines.length} lines; the maximum is ${linesMax}, as in cron. Split the file`);
    await refuseIgnoredCrontab(source.name);
    if (options.system !== true && options.user !== true) await refuseSystemCrontab(source, lines);
    if (!lines.some(({ kind }) => kind === "job" || kind === "invalid"))
      throw usage(`${source.name} contains no jobs. Give a crontab with at least one job`);
    const client = await connect();
    await client.health.get();
    const users = usersOf(lines, source.owner);
    const known = await findUsers(users);
    const planOptions = {
      groupName: options.group ?? source.groupName,
      parentId: options.parent === undefined ? null : (await findGroup(client, options.parent)).id,
      source: source.name,
      owner: source.owner,
      cronEnvironment: await readCronEnvironment(),
      daemonUser: await findDaemonUser(socketPathFor(location, host)),
      unknownUsers: new Set(users.filter((user) => !known.has(user))),
      userWords: form === "system" || options.user === true ? new Map<number, string>() : await findUserWords(lines),
      runAsMe: options.runAsMe === true,
      catchUp: options.catchUp === true,
      noOverlap: options.noOverlap === true,
    };
    const plan = await planImportWith(client, lines, planOptions);
    const refused = plan.report.filter(({ outcome }) => outcome === "refused");
    const isRefused = plan.taskLines.length === 0 || (refused.length > 0 && options.skipUnsupported !== true);
    const made = isRefused || options.dryRun === true ? null : await client.import.create(plan.body);
    const answer = {
      group: planOptions.groupName,
      dry_run: options.dryRun === true,
      cron_environment: Object.keys(plan.cronEnvironment),
      lines: plan.report,
      made,
    };
    out.answer(
      answer,
      () => `${out.table(reportColumns(out.hint), linesToShow(plan.report))}${hiddenText(plan.report)}`,
    );
    out.note(
      isRefused
        ? explainRefused(source.name, refused.length, plan)
        : describeImport(plan, planOptions.groupName, made !== null),
    );
    return isRefused ? exitCodes.usage : exitCodes.ok;
  },
});
