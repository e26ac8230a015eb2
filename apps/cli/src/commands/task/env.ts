import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure } from "../../failure.ts";
import { findTask } from "../../find/task.ts";
import { quoteForEnvironmentFile } from "../../input/environment-file.ts";
import { texts } from "../../options.ts";

export const command = defineLocalCommand({
  arguments: [argument.task],
  options: { name: texts("--name <name>", "print only this variable") },
  details:
    "The output can contain secrets. The audit trail records each use of this command. To set the same variables on another task, save the output to a file and pass it to belfry task edit with --env-from.",
  examples: [
    ["belfry task env Deploy", "print all variables of the task"],
    ["belfry task env Deploy --name TOKEN", "print one variable"],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const task = await findTask(client, typed);
    const missing = options.name?.find((name) => task.environment_names?.includes(name) === false);
    if (missing !== undefined)
      throw new Failure(exitCodes.notFound, `task ${JSON.stringify(task.name)} has no variable ${missing} of its own`, {
        hint: `List its variables with: belfry task show ${task.id}`,
      });
    const { environment } = await client.tasks.environment(task.id);
    const shown = Object.entries(environment).filter(([name]) => options.name?.includes(name) ?? true);
    if (shown.length === 0) out.note(`Task ${JSON.stringify(task.name)} has no variables of its own`);
    if (out.json) return out.answer(Object.fromEntries(shown), () => "");
    // not escaped, so that --env-from reads the same values back
    out.write(shown.map(([name, value]) => `${name}=${quoteForEnvironmentFile(value)}\n`).join(""));
  },
});
