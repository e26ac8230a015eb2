import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import type { Column } from "../../output/table.ts";

interface Made {
  readonly kind: "group" | "task" | "schedule";
  readonly id: string;
  readonly name: string;
}

const columns: readonly Column<Made>[] = [
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => name, isFlexible: true },
  { title: "ID", text: ({ id }) => id },
];

export const command = defineLocalCommand({
  arguments: [argument.import],
  details:
    "Shows the names from the time of the import. The audit trail has the id of each import: belfry audit list --operation import.create. A task that was added together with its schedule is an import too.",
  examples: [["belfry import show imp_Tn5vDq8KzXr1Wm6JbHfA", "list what an import created"]],
  run: async ({ connect, args: [id], out }) => {
    const client = await connect();
    const made = await client.import.get(id);
    const ofKind = (kind: Made["kind"], items: readonly { readonly id: string; readonly name: string }[]) =>
      items.map((item): Made => ({ kind, id: item.id, name: item.name }));
    out.answer(made, () =>
      out.table(columns, [
        ...ofKind("group", made.groups),
        ...ofKind("task", made.tasks),
        ...ofKind("schedule", made.schedules),
      ]),
    );
  },
});
