import type { Db } from "../../kernel/storage/database.ts";
import type { DescribeRun, Requests, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import { createExplainChains } from "./explain.ts";
import { chainEvents } from "./events.ts";
import { serveChains } from "./operations.ts";
import { createChainReactions } from "./reactions.ts";
import { createChains } from "./service.ts";
import { createChainStore } from "./store.ts";

export interface ChainsParts {
  readonly db: Db;
  readonly tasks: Tasks;
  readonly runs: RunStore;
  readonly requests: Requests;
  readonly describeRun: DescribeRun;
}

export function openChains({ db, tasks, runs, requests, describeRun }: ChainsParts) {
  const store = createChainStore(db);
  const chains = createChains({ store, tasks });
  return {
    explain: createExplainChains({ store, runs, describeRun }),
    operations: serveChains(chains),
    events: chainEvents(chains),
    revisions: { chain: (id: string) => chains.find(id)?.revision },
    ...createChainReactions({ chains, store, tasks, runs, requests }),
  };
}
