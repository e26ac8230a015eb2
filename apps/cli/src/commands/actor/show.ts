import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findActor } from "../../find/actor.ts";
import { gather } from "../../gather.ts";
import { renderDetails } from "../../output/details.ts";
import { actorDetails } from "../../views/actor.ts";
import { credentialColumns } from "../../views/credential.ts";

export const command = defineCommand({
  arguments: [argument.actor],
  examples: [["belfry actor show Board", "show what an actor may do, and its credentials"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const actor = await findActor(client, typed);
    if (out.json) return out.answer(actor, () => "");
    const credentials = await gather(client.credentials.list(actor.id));
    out.write(renderDetails(actorDetails(actor)));
    if (credentials.length > 0) out.write(`\n${out.table(credentialColumns, credentials)}`);
  },
});
