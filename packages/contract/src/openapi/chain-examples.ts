import type { Chain, ChainGraph } from "../modules/chains/schemas.ts";
import { ids, made, names, report } from "./example-names.ts";

const chain: Chain = {
  id: ids.chain,
  source_task_id: ids.task,
  source_task_name: names.task,
  target_task_id: report.id,
  target_task_name: report.name,
  on_outcome: "success",
  enabled: true,
  delay: "5m",
  ...made,
};

const chainGraph: ChainGraph = {
  tasks: [
    { task_id: ids.task, task_name: names.task, level: 0 },
    { task_id: report.id, task_name: report.name, level: 1 },
  ],
  chains: [chain],
};

export const chainExamples = {
  Chain: chain,
  ChainList: { chains: [chain], next_cursor: null },
  ChainGraph: chainGraph,
};
