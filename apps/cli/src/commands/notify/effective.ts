import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findTask } from "../../find/task.ts";
import { escapeUnsafe } from "../../output/width.ts";
import { assignmentTable } from "./assignment-table.ts";

export const command = defineCommand({
  arguments: [argument.task],
  details: "The task's own assignments, else those of the nearest group around it that has any.",
  examples: [['belfry notify effective "Nightly backup"', "who is told, and who says so"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const task = await findTask(client, typed);
    const effective = await client.notificationAssignments.effective(task.id);
    if (out.json) return out.answer(effective, () => "");
    const { source, assignments } = effective;
    if (source === null) return out.note(`Nobody is told of ${JSON.stringify(task.name)}: no scope has assignments`);
    out.write(escapeUnsafe(`By the ${source.scope} ${JSON.stringify(source.name)}:\n`));
    out.write(await assignmentTable(client, assignments, out));
  },
});
