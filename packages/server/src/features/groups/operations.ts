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
      handle: ({ query, actor }) => {
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
        return { groups: rows.map((row) => viewGroup(row, actor)), next_cursor };
      },
    },
    "groups.create": { handle: (unit, { body, actor }) => viewGroup(groups.create(unit, body), actor) },
    "groups.get": { handle: ({ params, actor }) => viewGroup(groups.get(params.id), actor) },
    "groups.update": {
      handle: (unit, { params, body, actor }) => viewGroup(groups.update(unit, params.id, body), actor),
    },
    "groups.delete": { handle: (unit, { params }) => groups.remove(unit, params.id) },
    "groups.enable": {
      handle: (unit, { params, actor }) => viewGroup(groups.setEnabled(unit, params.id, true), actor),
    },
    "groups.disable": {
      handle: (unit, { params, actor }) => viewGroup(groups.setEnabled(unit, params.id, false), actor),
    },
  };
}
