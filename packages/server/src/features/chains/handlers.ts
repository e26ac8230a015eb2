import type { chainOperations } from "@belfry/contract";
import type { HandlersOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { ChainFact } from "./facts.ts";
import type { Chains } from "./service.ts";
import { viewChain, viewGraph } from "./view.ts";

export function createChainHandlers(chains: Chains): HandlersOf<typeof chainOperations, ChainFact> {
  return {
    "chains.list": ({ query }) => {
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
    "chains.create": (unit, { body }) => viewChain(chains.create(unit, body)),
    "chains.graph": ({ query }) => viewGraph(chains.graph(query.task_id)),
    "chains.get": ({ params }) => viewChain(chains.get(params.id)),
    "chains.update": (unit, { params, body }) => viewChain(chains.update(unit, params.id, body)),
    "chains.delete": (unit, { params }) => chains.remove(unit, params.id),
  };
}
