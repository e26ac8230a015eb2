import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { benchBackup } from "./backup.bench.ts";
import { benchBurst } from "./burst.bench.ts";
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
import { benchScale } from "./scale.bench.ts";
import { benchScreens } from "./screens.bench.ts";
import { benchTimeline } from "./timeline.bench.ts";
import { benchWatchers } from "./watchers.bench.ts";

/**
 * Runs every bench, or those that are named, such as `remote`. Each figure is compared to a baseline in the same run:
 * median and spread over alternating rounds.
 */
const results: Result[] = [];
const named = process.argv.slice(2).map((name) => `bench${name}`.toLowerCase());
const all = [
  // first, because the other benches leave the disk with pending work
  benchLateness,
  benchBurst,
  benchRequests,
  benchFire,
  benchRuns,
  benchDeliveries,
  benchPreview,
  benchChains,
  benchImport,
  benchEvents,
  benchRemote,
  benchTimeline,
  benchScale,
  benchScreens,
  benchBackup,
  benchWatchers,
  benchCommand,
];
const benches = all.filter(({ name }) => named.length === 0 || named.includes(name.toLowerCase()));
if (benches.length < named.length) throw new Error(`the benches are ${all.map(({ name }) => name).join(", ")}`);
for (const bench of benches) {
  for (const result of await bench()) {
    results.push(result);
    console.log(
      `${result.holds ? "ok  " : "SLOW"}  ${result.name}: ${result.figure}, goal ${result.goal}; ours ${result.ours}, baseline ${result.bare}`,
    );
  }
}

const path = join(root, "bench", "RESULTS.md");
const head = "| --- | --- | --- | --- | --- |\n";
const measured = new Map(
  results.map((result) => [
    result.name,
    `| ${result.name} | ${result.ours} | ${result.baseline}: ${result.bare} | ${result.figure} | ${result.goal} |`,
  ]),
);
// those that were not measured now keep their rows
const former = named.length === 0 ? [] : readFileSync(path, "utf8").split(head)[1]!.trimEnd().split("\n");
const kept = former.map((row) => {
  const name = row.split(" | ")[0]!.slice(2);
  const again = measured.get(name);
  measured.delete(name);
  return again ?? row;
});
const rows = [...kept, ...measured.values()];
const page = `# Results

Written by \`npx pnpm@12 bench\`, which measures every figure again (and \`npx pnpm@12 bench remote\` those of one bench): each one beside its baseline in the same run, in alternating rounds. Ratios are medians over the rounds, with the smallest and the largest in brackets. Absolute figures come from one small machine and mean little elsewhere: ${cpus().length} processors, Node ${process.versions.node}.

| measurement | Belfry | baseline | figure | goal |
${head}${rows.join("\n")}
`;
writeFileSync(path, page);
process.exitCode = results.every(({ holds }) => holds) ? 0 : 1;
