import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { findActor } from "../../find/actor.ts";
import { flag } from "../../options.ts";
import { quoteName } from "../../output/hints.ts";

export const command = defineCommand({
  arguments: [argument.actor],
  options: { confirm: flag("--confirm", "confirm that the actor is revoked for good") },
  details:
    "Also revokes the actor's credentials and closes its open streams. This cannot be undone. To block an actor for a time, disable it instead.",
  examples: [["belfry actor revoke Board --confirm", "revoke an actor for good"]],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const actor = await findActor(client, typed);
    const name = JSON.stringify(actor.name);
    if (options.confirm !== true) {
      const word = quoteName(actor.name);
      throw usage(
        "missing --confirm: revoking an actor cannot be undone",
        `To revoke it, run: belfry actor revoke ${word} --confirm\nTo disable it instead: belfry actor edit ${word} --state disabled`,
      );
    }
    const revoked = await client.actors.revoke(actor.id);
    const isSame = revoked.revision === actor.revision;
    out.answer(revoked, () => (isSame ? `Actor ${name} is already revoked` : `Revoked actor ${name}`));
  },
});
