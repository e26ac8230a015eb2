import { capabilityOption, expiresOption, readExpires } from "../../definitions/actor-options.ts";
import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineCommand({
  arguments: [{ name: "name", summary: "name of the actor" }],
  options: { capability: capabilityOption("what the actor may do (required)"), expires: expiresOption },
  details:
    "observe reads; operate also runs, cancels, enables and disables; manage also defines what runs; enroll also manages actors. A new actor has no credential. Give one to a client with: belfry pair --actor <actor>",
  examples: [
    ["belfry actor add Board --capability observe", "add an actor that may only read"],
    ['belfry actor add Deploy --capability operate --expires "in 90d"', "add an actor for ninety days"],
  ],
  run: async ({ connect, args: [name], options, host, out }) => {
    const { capability } = options;
    if (capability === undefined) throw usage("missing --capability: give observe, operate, manage or enroll");
    const expires_at = readExpires(options.expires, host);
    const client = await connect();
    const actor = await client.actors.create({ name, capability, ...withoutUndefined({ expires_at }) });
    out.answer(actor, () => `Added actor ${JSON.stringify(actor.name)} (${actor.id})`);
  },
});
