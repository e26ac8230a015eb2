import type { groupOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { nameKey } from "../../kernel/names.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { GroupFact } from "./facts.ts";
import type { Groups } from "./service.ts";
import { viewGroup } from "./view.ts";

export function serveGroups(groups: Groups): OperationsOf<typeof groupOperations, GroupFact> {
  return {
    "groups.list": {
      handle: ({ query }) => {
        const filters = {
          parentId: query.parent_id,
          enabled: query.enabled,
          namePart: query.q === undefined ? undefined : nameKey(query.q),
        };
        const { rows, next_cursor } = readList({
          operation: "groups.list",
          query,
          whole: true,
          find: (page) => groups.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { groups: rows.map(viewGroup), next_cursor };
      },
    },
    "groups.create": { handle: (unit, { body }) => viewGroup(groups.create(unit, body)) },
    "groups.get": { handle: ({ params }) => viewGroup(groups.get(params.id)) },
    "groups.update": { handle: (unit, { params, body }) => viewGroup(groups.update(unit, params.id, body)) },
    "groups.delete": { handle: (unit, { params }) => groups.remove(unit, params.id) },
    "groups.enable": { handle: (unit, { params }) => viewGroup(groups.setEnabled(unit, params.id, true)) },
    "groups.disable": { handle: (unit, { params }) => viewGroup(groups.setEnabled(unit, params.id, false)) },
  };
}
