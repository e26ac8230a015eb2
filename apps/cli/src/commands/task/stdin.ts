import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { findTask } from "../../find/task.ts";

export const command = defineLocalCommand({
  arguments: [argument.task],
  details: "The output can contain secrets. The audit trail records each use of this command.",
  examples: [["belfry task stdin Report > report.sql", "save the standard input to a file"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const task = await findTask(client, typed);
    const answer = await client.tasks.standardInput(task.id);
    if (out.json) return out.answer(answer, () => "");
    if (answer.standard_input === null) out.note(`Task ${JSON.stringify(task.name)} has no standard input`);
    else out.write(answer.standard_input);
  },
});
