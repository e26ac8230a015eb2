import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findTask } from "../../find/task.ts";

export const command = defineCommand({
  arguments: [argument.task],
  details: "It may hold secrets, and the audit trail says that you looked.",
  examples: [["belfry task stdin Report > report.sql", "as it is, without a line end of our own"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const task = await findTask(client, typed);
    const answer = await client.tasks.standardInput(task.id);
    if (out.json) return out.answer(answer, () => "");
    if (answer.standard_input === null) out.note(`The task ${JSON.stringify(task.name)} has no standard input`);
    else out.write(answer.standard_input);
  },
});
