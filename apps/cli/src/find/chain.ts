import type { Chain, Client } from "@belfry/client";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { gather } from "../gather.ts";
import { sourceOf, targetOf, tasksIn } from "../views/chain.ts";
import { findTask } from "./task.ts";
import { disambiguateTasks } from "./task-names.ts";

/** By id; by its source and its target; or by a task that is in one chain only. */
export async function findChain(client: Client, typed: string, typedTarget: string | undefined): Promise<Chain> {
  if (/^chn_[0-9A-Za-z]{20}$/.test(typed) && typedTarget === undefined) return client.chains.get(typed);
  const source = await findTask(client, typed);
  const found =
    typedTarget === undefined
      ? await chainsOf(client, source.id)
      : await gather(
          client.chains.list({ source_task_id: source.id, target_task_id: (await findTask(client, typedTarget)).id }),
        );
  const what = `${JSON.stringify(source.name)}${typedTarget === undefined ? "" : ` to ${JSON.stringify(typedTarget)}`}`;
  const preposition = typedTarget === undefined ? "of" : "from";
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    const hint = "See them with: belfry chain list";
    throw new Failure(exitCodes.notFound, `there is no chain ${preposition} ${what}`, { hint });
  }
  const nameOf = await disambiguateTasks(client, tasksIn(found), { json: false });
  const lines = found.map(
    (chain) => `  ${chain.id}  ${nameOf(sourceOf(chain))} → ${nameOf(targetOf(chain))} on ${chain.on_outcome}`,
  );
  const pairs = new Set(found.map((chain) => `${chain.source_task_id} ${chain.target_task_id}`));
  // two chains may join the same two tasks, one for each outcome
  const ways = pairs.size === found.length ? "its id or its two tasks" : "its id";
  throw usage(`there are ${found.length} chains ${preposition} ${what}`, `Say which, by ${ways}:\n${lines.join("\n")}`);
}

/** Those that lead to a task first, then those that lead on from it. */
export async function chainsOf(client: Client, taskId: string): Promise<readonly Chain[]> {
  const lists = await Promise.all([
    gather(client.chains.list({ target_task_id: taskId })),
    gather(client.chains.list({ source_task_id: taskId })),
  ]);
  return lists.flat();
}
