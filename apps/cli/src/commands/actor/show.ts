import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findActor } from "../../find/actor.ts";
import { gather } from "../../gather.ts";
import { renderDetails } from "../../output/details.ts";
import { actorDetails } from "../../views/actor.ts";
import { credentialColumns } from "../../views/credential.ts";

export const command = defineCommand({
  arguments: [argument.actor],
  details: "The credentials are shown only on the daemon's own machine.",
  examples: [["belfry actor show Board", "show what an actor may do, and its credentials"]],
  run: async ({ connect, connectLocal, args: [typed], out }) => {
    const client = await connect();
    const actor = await findActor(client, typed);
    if (out.json) return out.answer(actor, () => "");
    const local = await connectLocal();
    const credentials = local === null ? [] : await gather(local.credentials.list(actor.id));
    out.write(renderDetails(actorDetails(actor)));
    if (credentials.length > 0) out.write(`\n${out.table(credentialColumns, credentials)}`);
  },
});
