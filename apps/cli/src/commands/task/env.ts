import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure } from "../../failure.ts";
import { findTask } from "../../find/task.ts";
import { texts } from "../../options.ts";

export const command = defineCommand({
  arguments: [argument.task],
  options: { name: texts("--name <name>", "only this variable") },
  details: "Prints secrets, and the audit trail says that you looked. The output can be given back with --env-file.",
  examples: [
    ["belfry task env Deploy", "all of its own variables"],
    ["belfry task env Deploy --name TOKEN", "one of them"],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const task = await findTask(client, typed);
    const missing = options.name?.find((name) => !task.environment_names.includes(name));
    if (missing !== undefined)
      throw new Failure(
        exitCodes.notFound,
        `the task ${JSON.stringify(task.name)} has no variable ${missing} of its own`,
      );
    const { environment } = await client.tasks.environment(task.id);
    const shown = Object.entries(environment).filter(([name]) => options.name?.includes(name) ?? true);
    if (shown.length === 0) out.note(`The task ${JSON.stringify(task.name)} has no variables of its own`);
    if (out.json) return out.answer(Object.fromEntries(shown), () => "");
    // as they are: these are read back
    out.write(shown.map(([name, value]) => `${name}=${quoteForFile(value)}\n`).join(""));
  },
});

/** As an environment file reads it back; what has no plain form there is given in the quotes that hold it. */
function quoteForFile(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  const quote = ["'", '"', "`"].find((mark) => !value.includes(mark) && (mark !== '"' || !value.includes("\\n")));
  return quote === undefined ? value : `${quote}${value}${quote}`;
}
