import type { Chain } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { gather } from "../gather.ts";
import { asWritten } from "../output/hints.ts";
import { sourceOf, targetOf, tasksIn } from "../views/chain.ts";
import { findTask } from "./task.ts";
import { disambiguateTasks } from "./task-names.ts";

/** Finds a chain by id, by source and target, or by a task that is in only one chain. */
export async function findChain(client: AnyClient, typed: string, typedTarget: string | undefined): Promise<Chain> {
  if (/^chn_[0-9A-Za-z]{20}$/.test(typed) && typedTarget === undefined) return client.chains.get(typed);
  const source = await findTask(client, typed);
  const found =
    typedTarget === undefined
      ? await chainsOf(client, source.id)
      : await gather(
          client.chains.list({ source_task_id: source.id, target_task_id: (await findTask(client, typedTarget)).id }),
        );
  const ends = `${JSON.stringify(source.name)}${typedTarget === undefined ? "" : ` to ${JSON.stringify(typedTarget)}`}`;
  const preposition = typedTarget === undefined ? "with task" : "from";
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    const hint = "List all chains with: belfry chain list";
    throw new Failure(exitCodes.notFound, `there is no chain ${preposition} ${ends}`, { hint });
  }
  const nameOf = await disambiguateTasks(client, tasksIn(found), { json: false });
  const lines = found.map(
    (chain) =>
      `  ${chain.id}  ${asWritten(`${nameOf(sourceOf(chain))} → ${nameOf(targetOf(chain))}`)} on ${chain.on_outcome}`,
  );
  throw usage(`there are ${found.length} chains ${preposition} ${ends}`, `Use one of these ids:\n${lines.join("\n")}`);
}

/** The chains that start a task, then the chains that it starts. */
export async function chainsOf(client: AnyClient, taskId: string): Promise<readonly Chain[]> {
  const lists = await Promise.all([
    gather(client.chains.list({ target_task_id: taskId })),
    gather(client.chains.list({ source_task_id: taskId })),
  ]);
  return lists.flat();
}
