import { defineCommand } from "../../command.ts";
import { holdColumns } from "../../views/hold.ts";

export const command = defineCommand({
  examples: [["belfry holds", "list holds, with their end and reason"]],
  run: async ({ connect, out }) => {
    const client = await connect();
    const page = await client.holds.list();
    await out.list(page, { plural: "holds", isWhole: true, columns: holdColumns, empty: "Nothing is held" });
  },
});
