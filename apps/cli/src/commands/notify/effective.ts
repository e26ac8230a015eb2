import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findTask, wordForTask } from "../../find/task.ts";
import { quoteName } from "../../output/hints.ts";
import { escapeUnsafe } from "../../output/width.ts";
import { assignmentTable } from "./assignment-table.ts";

export const command = defineCommand({
  arguments: [argument.task],
  details:
    "A task uses its own channels if it has any. Otherwise, it uses the channels of the nearest parent group that has any.",
  examples: [
    ['belfry notify effective "Nightly backup"', "show the channels that are notified, and where they are set"],
  ],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const task = await findTask(client, typed);
    const effective = await client.notificationAssignments.effective(task.id);
    if (out.json) return out.answer(effective, () => "");
    const { source, assignments } = effective;
    if (source === null) {
      const word = quoteName(await wordForTask(client, task));
      return out.note(
        `No notifications apply to task ${JSON.stringify(task.name)}. Assign a channel with: belfry notify set ${word} --on-failure <channel>`,
      );
    }
    out.write(escapeUnsafe(`Set on ${source.scope} ${JSON.stringify(source.name)}:\n`));
    out.write(await assignmentTable(client, assignments, out));
  },
});
