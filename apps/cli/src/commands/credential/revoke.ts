import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";

export const command = defineLocalCommand({
  arguments: [argument.credential],
  details: "Cannot be undone. Closes the open streams of this credential. Other credentials of the actor stay valid.",
  examples: [["belfry credential revoke crd_Xk3Wd8LvQp5Zt1JmRs6B", "revoke the credential of a lost laptop"]],
  run: async ({ connect, args: [id], out }) => {
    const client = await connect();
    const before = await client.credentials.get(id);
    const revoked = await client.credentials.revoke(id);
    const name = `${JSON.stringify(revoked.display_name)} (${revoked.id})`;
    out.answer(revoked, () =>
      before.state === "revoked" ? `Credential ${name} is already revoked` : `Revoked credential ${name}`,
    );
  },
});
