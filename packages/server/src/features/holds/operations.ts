import type { holdOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { HoldFact } from "./facts.ts";
import type { Holds } from "./service.ts";
import type { HoldRow } from "./table.ts";
import { viewHold } from "./view.ts";

export function serveHolds(holds: Holds): OperationsOf<typeof holdOperations, HoldFact> {
  const view = (row: HoldRow) => viewHold(row, holds.groupNameOf(row));
  const concern = ({ body }: { readonly body: { readonly group_id: string | null } }) => holds.findId(body.group_id);
  return {
    "holds.list": {
      handle: ({ query }) => {
        const { rows, next_cursor } = readList({
          operation: "holds.list",
          query,
          whole: true,
          find: holds.list,
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { holds: rows.map(view), next_cursor };
      },
    },
    "holds.place": { handle: (unit, { body }) => view(holds.place(unit, body)), concern },
    "holds.release": { handle: (unit, { body }) => view(holds.release(unit, body)), concern },
  };
}
