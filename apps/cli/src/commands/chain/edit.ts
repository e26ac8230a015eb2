import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { chainOptions } from "../../definitions/chain-options.ts";
import { findChain } from "../../find/chain.ts";
import { findTask } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { requireChange } from "../../input/require-change.ts";
import { forChange, text } from "../../options.ts";
import { chainText, tasksIn } from "../../views/chain.ts";

export const command = defineCommand({
  arguments: [argument.chain, argument.chainTarget],
  options: {
    source: text("--source <task>", "new source task"),
    target: text("--target <task>", "new target task"),
    ...forChange(chainOptions),
  },
  details: "Options that are not given stay unchanged.",
  examples: [
    [
      "belfry chain edit Load Report --on any --delay 5m",
      "run Report five minutes after each run of Load, whatever its outcome",
    ],
    ["belfry chain edit Load Report --target Summary", "start another task instead of Report"],
  ],
  run: async ({ connect, args: [typed, typedTarget], options, out }) => {
    const client = await connect();
    const chain = await findChain(client, typed, typedTarget);
    const idOf = async (name: string | undefined) =>
      name === undefined ? undefined : (await findTask(client, name)).id;
    const patch = withoutUndefined({
      source_task_id: await idOf(options.source),
      target_task_id: await idOf(options.target),
      on_outcome: options.on,
      delay: options.delay,
    });
    requireChange(patch, "chain");
    const changed = await client.chains.update(chain.id, patch, { ifMatch: chain.revision });
    const nameOf = await disambiguateTasks(client, tasksIn([changed]), out);
    out.answer(changed, () => `Changed chain to ${chainText(changed, nameOf)}`);
  },
});
