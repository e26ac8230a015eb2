import { argument } from "../../arguments.ts";
import { actorSwitchStates } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { capabilityOption, expiresOption, readExpires } from "../../definitions/actor-options.ts";
import { findActor } from "../../find/actor.ts";
import { requireChange } from "../../input/require-change.ts";
import { clearable, oneOf, text } from "../../options.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineCommand({
  arguments: [argument.actor],
  options: {
    name: text("--name <name>", "new name"),
    capability: capabilityOption("what the actor may do"),
    state: oneOf("--state <state>", "whether the actor may call the daemon", { choices: actorSwitchStates }),
    expires: clearable(expiresOption, "let the actor never expire"),
  },
  details:
    "Options that are not given stay unchanged. A change takes effect immediately: disabling an actor or lowering its capability closes its open streams.",
  examples: [
    ["belfry actor edit Board --capability operate", "let an actor run and cancel tasks"],
    ["belfry actor edit Board --state disabled", "disable an actor until you set its state to active"],
    ["belfry actor edit Board --no-expires", "let an actor never expire"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const patch = withoutUndefined({
      name: options.name,
      capability: options.capability,
      state: options.state,
      expires_at: readExpires(options.expires, host),
    });
    requireChange(patch, "actor");
    const client = await connect();
    const actor = await findActor(client, typed);
    const changed = await client.actors.update(actor.id, patch, { ifMatch: actor.revision });
    out.answer(changed, () => `Changed actor ${JSON.stringify(changed.name)}`);
  },
});
