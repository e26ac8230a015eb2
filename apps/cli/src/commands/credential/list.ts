import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { findActor } from "../../find/actor.ts";
import { credentialColumns } from "../../views/credential.ts";

export const command = defineLocalCommand({
  arguments: [argument.actor],
  details: "The token of a credential is never shown again after the credential was created.",
  examples: [["belfry credential list Board", "list the credentials of an actor"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const actor = await findActor(client, typed);
    await out.list(await client.credentials.list(actor.id), {
      plural: "credentials",
      isWhole: true,
      columns: credentialColumns,
      empty: `Actor ${JSON.stringify(actor.name)} has no credentials`,
    });
  },
});
