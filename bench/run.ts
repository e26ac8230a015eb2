import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { benchChains } from "./chains.bench.ts";
import { benchCommand } from "./command.bench.ts";
import { benchDeliveries } from "./deliveries.bench.ts";
import { benchEvents } from "./events.bench.ts";
import { benchFire } from "./fire.bench.ts";
import { benchImport } from "./import.bench.ts";
import { benchLateness } from "./lateness.bench.ts";
import { benchPreview } from "./preview.bench.ts";
import { root } from "./processes.ts";
import { benchRemote } from "./remote.bench.ts";
import { benchRequests } from "./requests.bench.ts";
import type { Result } from "./result.ts";
import { benchRuns } from "./runs.bench.ts";
import { benchWatchers } from "./watchers.bench.ts";

/**
 * Runs every bench. Each figure is compared to a baseline in the same run: median and spread over alternating rounds.
 */
const results: Result[] = [];
const benches = [
  // first, because the other benches leave the disk with pending work
  benchLateness,
  benchRequests,
  benchFire,
  benchRuns,
  benchDeliveries,
  benchPreview,
  benchChains,
  benchImport,
  benchEvents,
  benchRemote,
  benchWatchers,
  benchCommand,
];
for (const bench of benches) {
  for (const result of await bench()) {
    results.push(result);
    console.log(
      `${result.holds ? "ok  " : "SLOW"}  ${result.name}: ${result.figure}, goal ${result.goal}; ours ${result.ours}, baseline ${result.bare}`,
    );
  }
}

const rows = results.map(
  (result) =>
    `| ${result.name} | ${result.ours} | ${result.baseline}: ${result.bare} | ${result.figure} | ${result.goal} |`,
);
const page = `# Results

Written by \`npx pnpm@12 bench\`, which measures every figure again: each one beside its baseline in the same run, in alternating rounds. Ratios are medians over the rounds, with the smallest and the largest in brackets. Absolute figures come from one small machine and mean little elsewhere: ${cpus().length} processors, Node ${process.versions.node}.

| measurement | Belfry | baseline | figure | goal |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
writeFileSync(join(root, "bench", "RESULTS.md"), page);
process.exitCode = results.every(({ holds }) => holds) ? 0 : 1;
