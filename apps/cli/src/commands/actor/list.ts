import { actorStates } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { oneOf, text } from "../../options.ts";
import { actorColumns } from "../../views/actor.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineCommand({
  options: {
    state: oneOf("--state <state>", "only actors in this state", { choices: actorStates }),
    name: text("--name <part>", "only names that contain this text"),
  },
  examples: [
    ["belfry actor list", "list all actors and what each may do"],
    ["belfry actor list --state active", "list the actors that may call the daemon now"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const page = await client.actors.list(withoutUndefined({ state: options.state, q: options.name }));
    await out.list(page, { plural: "actors", isWhole: true, columns: actorColumns, empty: "No actors match" });
  },
});
