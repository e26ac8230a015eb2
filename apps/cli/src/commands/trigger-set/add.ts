import { defineLocalCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { findFireSocket } from "../../find/fire-socket.ts";
import { findTask } from "../../find/task.ts";
import { integer, text, texts } from "../../options.ts";
import { setSecretsText } from "../../views/trigger-set.ts";

const membersMax = 99;

export const command = defineLocalCommand({
  arguments: [{ name: "name", summary: "name of the trigger set" }],
  options: {
    task: text("--task <task>", "task that all members run: name, group/name or id (required)"),
    count: integer("--count <n>", "number of members, named after the set", { min: 1, max: membersMax }),
    member: texts("--member <name>", "add a member with this name"),
  },
  details: "Prints the key of every member. Give either --count, or one --member for each member.",
  examples: [
    ["belfry trigger-set add Agents --task Deploy --count 12", "add the members Agents 1 to Agents 12"],
    ["belfry trigger-set add Sites --task Sync --member Berlin --member Oslo", "add members with their own names"],
  ],
  run: async ({ connect, args: [name], options, out }) => {
    if (options.task === undefined) throw usage("missing --task: give the task that the triggers run");
    const members = readMembers(options.count, options.member);
    const client = await connect();
    const task = await findTask(client, options.task);
    const fireSocket = await findFireSocket(client);
    const made = await client.triggerSets.create({ name, target_task_id: task.id, ...members });
    const { trigger_set: set } = made;
    out.answer(
      made,
      () => `Added trigger set ${JSON.stringify(set.name)} (${set.id})\n${setSecretsText(made, { fireSocket, out })}`,
    );
  },
});

function readMembers(count: number | undefined, names: readonly string[] | undefined) {
  if (count !== undefined && names === undefined) return { count };
  if (count === undefined && names !== undefined) return { member_names: [...names] };
  throw usage("give either --count <n>, or one --member <name> for each member");
}
