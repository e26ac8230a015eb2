import type { chainOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { ChainFact } from "./facts.ts";
import type { Chains } from "./service.ts";
import { viewChain, viewGraph } from "./view.ts";

export function serveChains(chains: Chains): OperationsOf<typeof chainOperations, ChainFact> {
  return {
    "chains.list": {
      handle: ({ query }) => {
        const filters = { sourceTaskId: query.source_task_id, targetTaskId: query.target_task_id };
        const { rows, next_cursor } = readList({
          operation: "chains.list",
          query,
          whole: true,
          find: (page) => chains.list(filters, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { chains: rows.map(viewChain), next_cursor };
      },
    },
    "chains.create": { handle: (unit, { body }) => viewChain(chains.create(unit, body)) },
    "chains.graph": { handle: ({ query }) => viewGraph(chains.graph(query.task_id)) },
    "chains.get": { handle: ({ params }) => viewChain(chains.get(params.id)) },
    "chains.update": { handle: (unit, { params, body }) => viewChain(chains.update(unit, params.id, body)) },
    "chains.delete": { handle: (unit, { params }) => chains.remove(unit, params.id) },
  };
}
