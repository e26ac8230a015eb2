import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { chainOptions } from "../../definitions/chain-options.ts";
import { findChain } from "../../find/chain.ts";
import { findTask } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { requireChange } from "../../input/require-change.ts";
import { text } from "../../options.ts";
import { chainText, tasksIn } from "../../views/chain.ts";

export const command = defineCommand({
  arguments: [argument.chain, argument.chainTarget],
  options: {
    source: text("--source <task>", "wait for this task instead"),
    target: text("--target <task>", "start this task instead"),
    ...chainOptions,
  },
  details: "What is not named stays as it is.",
  examples: [
    ["belfry chain edit Load Report --on any --delay 5m", "after failures too, and later"],
    ["belfry chain edit Load Report --target Summary", "start another task"],
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
    out.answer(changed, () => `Changed the chain to ${chainText(changed, nameOf)}`);
  },
});
