import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { findTask } from "../../find/task.ts";
import { integer, text, texts } from "../../options.ts";
import { setSecretsColumns } from "../../views/trigger-set.ts";

const membersMax = 99;

export const command = defineCommand({
  arguments: [{ name: "name", summary: "what to call it" }],
  options: {
    task: text("--task <task>", "the task all members run: its name, group/name or id"),
    count: integer("--count <n>", "how many members, named after the set", { min: 1, max: membersMax }),
    member: texts("--member <name>", "a member by its own name"),
  },
  details: "Prints every member's key, by position. All members are made, or none.",
  examples: [
    ["belfry trigger-set add Agents --task Deploy --count 12", "Agents 1 to Agents 12"],
    ["belfry trigger-set add Sites --task Sync --member Berlin --member Oslo", "with their own names"],
  ],
  run: async ({ connect, args: [name], options, out }) => {
    if (options.task === undefined) throw usage("which task shall they run?", "Name it with --task <task>");
    const members = readMembers(options.count, options.member);
    const client = await connect();
    const task = await findTask(client, options.task);
    const made = await client.triggerSets.create({ name, target_task_id: task.id, ...members });
    const { trigger_set: set, keys } = made;
    out.answer(
      made,
      () => `Added the Trigger Set ${JSON.stringify(set.name)} (${set.id})\n${out.table(setSecretsColumns(set), keys)}`,
    );
  },
});

function readMembers(count: number | undefined, names: readonly string[] | undefined) {
  if (count !== undefined && names === undefined) return { count };
  if (count === undefined && names !== undefined) return { member_names: [...names] };
  throw usage("give the members either as --count <n>, or by name with --member <name> for each");
}
