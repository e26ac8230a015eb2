import { defineCommand } from "../../command.ts";
import { socketPathFor } from "../../connect.ts";
import { planChecked } from "../../crontab/checked-plan.ts";
import { parseCrontab } from "../../crontab/lines.ts";
import { describeImport, explainRefused, reportColumns } from "../../crontab/report.ts";
import { checkForm, readSource } from "../../crontab/source.ts";
import { daemonUser } from "../../daemon/user.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { flag, text } from "../../options.ts";

/** Of Debian's crontab. */
const linesMax = 10_000;

export const command = defineCommand({
  arguments: [{ name: "file", summary: "the crontab; - or nothing is standard input", isOptional: true }],
  options: {
    dryRun: flag("--dry-run", "show what would become of each line, and change nothing"),
    system: flag("--system", "with a user before each command, as in /etc/crontab and /etc/cron.d"),
    runAsMe: flag("--run-as-me", "jobs of other users too, as the daemon's user"),
    skipUnsupported: flag("--skip-unsupported", "leave out what cannot be imported, in place of refusing the file"),
    group: text("--group <name>", "what to call the group (the file's name)"),
    catchUp: flag("--catch-up", "one late run for times missed while the daemon was away; cron has none"),
    noOverlap: flag("--single", "skip a time while the job still runs; cron starts it once more"),
  },
  details: `The file becomes one group with a task and a schedule for each job, or nothing at all. cron is left as it is:
take the jobs out of it afterwards, or they run twice.`,
  examples: [
    ["crontab -l | belfry import crontab - --dry-run", "look first"],
    ["crontab -l | belfry import crontab - --group mine", "your own crontab"],
    ["sudo belfry import crontab /etc/cron.d/php --system", "a system crontab, into root's daemon"],
  ],
  run: async ({ connect, args: [path], options, place, host, out }) => {
    const form = options.system === true ? "system" : "user";
    const source = await readSource(path, host);
    const lines = parseCrontab(source.text, form);
    if (lines.length > linesMax)
      throw usage(`${source.name} has ${lines.length} lines, and cron refuses more than ${linesMax}`);
    checkForm(source, lines, form);
    if (!lines.some(({ kind }) => kind === "job" || kind === "invalid"))
      throw usage(`there is no job in ${source.name}`);
    const client = await connect();
    await client.health.get();
    const planOptions = {
      groupName: options.group ?? source.groupName,
      source: source.name,
      daemonUser: daemonUser(socketPathFor(place, host)),
      runAsMe: options.runAsMe === true,
      catchUp: options.catchUp === true,
      noOverlap: options.noOverlap === true,
    };
    const { plan } = await planChecked(client, lines, planOptions);
    const refused = plan.report.filter(({ outcome }) => outcome === "refused");
    const isRefused = plan.taskLines.length === 0 || (refused.length > 0 && options.skipUnsupported !== true);
    const made = isRefused || options.dryRun === true ? null : await client.import.create(plan.body);
    const answer = { group: planOptions.groupName, dry_run: options.dryRun === true, lines: plan.report, made };
    out.answer(answer, () =>
      out.table(
        reportColumns,
        plan.report.filter(({ outcome }) => outcome !== "none"),
      ),
    );
    out.note(
      isRefused
        ? explainRefused(source.name, refused.length, plan)
        : describeImport(plan, planOptions.groupName, made !== null),
    );
    return isRefused ? exitCodes.usage : exitCodes.ok;
  },
});
