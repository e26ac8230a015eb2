import { defineCommand } from "../../command.ts";
import { holdColumns } from "../../views/hold.ts";

export const command = defineCommand({
  examples: [["belfry holds", "show what is held, until when and why"]],
  run: async ({ connect, out }) => {
    const client = await connect();
    const page = await client.holds.list();
    await out.list(page, { plural: "holds", isWhole: true, columns: holdColumns, empty: "Nothing is held" });
  },
});
