import type { Chain, ChainGraph, ChainList, Run, RunList } from "@belfry/client";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

type Belfry = Awaited<ReturnType<typeof startBelfry>>;

async function addTasks(belfry: Belfry, ...names: readonly string[]): Promise<void> {
  for (const name of names) await belfry.text("task", "add", name, "--", "true");
}

test("a chain is added, found by its tasks, changed, disabled, enabled and deleted", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Load", "Report", "Summary");
  expect(await belfry.text("chain", "add", "load", "Report")).toMatch(
    /^Added chain "Load" → "Report" on success \(chn_\w{20}\)$/m,
  );
  expect(await belfry.text("chain", "edit", "Load", "Report", "--on", "any", "--delay", "90s")).toBe(
    'Changed chain to "Load" → "Report" on any, 90s later\n',
  );
  const chain = await belfry.json<Chain>("chain", "show", "Load");
  expect(chain).toMatchObject({ on_outcome: "any", delay: "90s", enabled: true });
  expect(await belfry.text("chain", "disable", "Load", "Report")).toMatch(/^Disabled chain "Load" → "Report"/);
  expect(await belfry.text("chain", "disable", chain.id)).toBe(
    'Chain "Load" → "Report" on any, 90s later is already disabled\n',
  );
  expect(await belfry.text("chain", "show", chain.id)).toMatch(
    /State {2,}disabled: the chain does not start its target/,
  );
  expect(await belfry.text("chain", "list")).toMatch(/Load +any +Report +90s +disabled +chn_/);
  expect(await belfry.text("chain", "enable", "Load", "Report")).toMatch(/^Enabled/);
  await belfry.text("chain", "edit", "Load", "Report", "--target", "Summary");
  expect((await belfry.json<ChainList>("chain", "list", "--target", "Summary")).chains).toHaveLength(1);
  expect(await belfry.text("task", "show", "Load")).toMatch(/AFTER +ON +STARTS[^]*Load +any +Summary/);
  expect(await belfry.text("chain", "delete", "Load", "Summary")).toMatch(/^Deleted chain "Load" → "Summary"/);
  expect(await belfry.json("chain", "list")).toEqual({ chains: [], next_cursor: null });
});

test("an error about a chain says what is wrong and what to do", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Load", "Report", "Summary");
  await belfry.text("chain", "add", "Load", "Report");
  await belfry.text("chain", "add", "Report", "Summary");
  const cases: readonly (readonly [words: readonly string[], code: number, output: RegExp])[] = [
    [["add", "Summary", "Load"], 2, /would form a cycle: "Summary" → "Load" → "Report" → "Summary"/],
    [["add", "Load", "Load"], 2, /a chain cannot start its own source task/],
    [
      ["add", "Load", "Report", "--on", "any"],
      2,
      / for the outcome "success" already exists: change chn_\w{20} instead/,
    ],
    [["add", "Load", "Reprot"], 3, /there is no task "Reprot"[^]*Did you mean "Report"/],
    [
      ["show", "Report"],
      2,
      /there are 2 chains with task "Report"[^]*Load → Report on success[^]*Report → Summary on success/,
    ],
    [["show", "Load", "Summary"], 3, /there is no chain from "Load" to "Summary"/],
    [["edit", "Load", "Report"], 2, /nothing to change: give at least one option/],
    [["add", "Load", "Summary", "--delay", "soon"], 2, /invalid duration "soon" for --delay/],
    [
      ["add", "Load", "Summary", "--on", "sucess"],
      2,
      /invalid value "sucess" for --on\. Use one of success, failure, any/,
    ],
  ];
  for (const [words, code, output] of cases) {
    const outcome = await belfry.call(["chain", ...words]);
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(output)]);
  }
});

test("two chains between the same tasks are distinguished by id", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Load", "Report");
  const made = [
    await belfry.json<Chain>("chain", "add", "Load", "Report"),
    await belfry.json<Chain>("chain", "add", "Load", "Report", "--on", "failure"),
  ];
  for (const words of [
    ["edit", "Load", "Report", "--delay", "5s"],
    ["show", "Report"],
  ]) {
    const { code, stderr } = await belfry.call(["chain", ...words]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^belfry: there are 2 chains .*\nUse one of these ids:\n/),
    ]);
    for (const { id, on_outcome } of made) expect(stderr).toContain(`  ${id}  Load → Report on ${on_outcome}\n`);
  }
});

test("tasks with the same name are shown with their groups", async () => {
  await using belfry = await startBelfry();
  for (const group of ["GA", "GB"]) {
    await belfry.text("group", "add", group);
    await belfry.text("task", "add", "Same", "--group", group, "--every", "1h", "--", "true");
    await belfry.text("trigger", "add", `Of ${group}`, "--task", `${group}/Same`);
    await belfry.text("trigger-set", "add", `Set of ${group}`, "--task", `${group}/Same`, "--count", "1");
  }
  await addTasks(belfry, "Other");
  const both = '"GA/Same" → "GB/Same" on success';
  expect(await belfry.text("chain", "add", "GA/Same", "GB/Same")).toContain(`Added chain ${both} (chn_`);
  expect(await belfry.text("chain", "disable", "GA/Same")).toBe(`Disabled chain ${both}\n`);
  expect(await belfry.text("chain", "edit", "GA/Same", "--on", "any")).toContain(both.replace("success", "any"));
  expect(await belfry.text("chain", "show", "GA/Same")).toMatch(/After +GA\/Same\n[^]*Starts +GB\/Same\n/);
  expect(await belfry.text("chain", "graph")).toBe("GA/Same\n└─ any → GB/Same (disabled)\n");
  expect(await belfry.text("why", "GB/Same")).toMatch(/^GB\/Same can start now[^]*\n {2}after GA\/Same: /);
  expect(await belfry.text("task", "show", "GA/Same")).toMatch(/GA\/Same +any +GB\/Same/);
  await belfry.text("chain", "add", "GB/Same", "Other");
  expect(await belfry.text("chain", "list")).toMatch(/GB\/Same +success +Other[^]*GA\/Same +any +GB\/Same/);
  expect((await belfry.call(["chain", "show", "GB/Same"])).stderr).toContain("GA/Same → GB/Same on any");
  expect(await belfry.text("chain", "show", "GB/Same", "Other")).toMatch(/After +Same\n/);
  expect(await belfry.text("trigger", "list")).toMatch(/Of GB +GB\/Same[^]*Of GA +GA\/Same/);
  expect(await belfry.text("trigger", "list", "--task", "GA/Same")).toMatch(/Of GA +Same/);
  expect(await belfry.text("trigger-set", "list")).toMatch(/Set of GB +GB\/Same[^]*Set of GA +GA\/Same/);
  expect(await belfry.text("schedule", "list")).toMatch(/^GB\/Same[^]*^GA\/Same/m);
  expect(await belfry.text("agenda", "-n", "2")).toMatch(/GA\/Same[^]*GB\/Same/);
  for (const group of ["GA", "GB"]) await belfry.text("task", "run", `${group}/Same`, "--wait");
  await belfry.text("chain", "enable", "GA/Same", "GB/Same");
  await belfry.text("task", "run", "GA/Same", "--wait");
  const { runs } = await until("the target's run", async () => {
    const found = await belfry.json<RunList>("run", "list", "--trigger", "completion", "--task", "GB/Same");
    return found.runs[0]?.state === "succeeded" ? found : null;
  });
  expect(await belfry.text("run", "show", runs[0]!.id)).toMatch(/Task +GB\/Same\n[^]*After +GA\/Same: succeeded/);
  expect(await belfry.text("run", "list")).toMatch(/GB\/Same +succeeded[^]*GA\/Same +succeeded/);
});

test("the graph is drawn as trees, with the targets of each task drawn once", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Fetch", "Load", "Check", "Report", "Alert", "Alone", "Mail");
  await belfry.text("chain", "add", "Fetch", "Load");
  await belfry.text("chain", "add", "Fetch", "Check", "--on", "any", "--delay", "5m");
  await belfry.text("chain", "add", "Fetch", "Alert", "--on", "failure", "--disabled");
  await belfry.text("chain", "add", "Load", "Report");
  await belfry.text("chain", "add", "Check", "Report");
  await belfry.text("chain", "add", "Report", "Mail");
  expect(await belfry.text("chain", "graph")).toBe(
    [
      "Fetch",
      "├─ success → Load",
      "│  └─ success → Report",
      "│     └─ success → Mail",
      "├─ any → Check (5m later)",
      "│  └─ success → Report (see above)",
      "└─ failure → Alert (disabled)",
      "",
    ].join("\n"),
  );
  expect(await belfry.text("chain", "graph", "Check")).toBe(
    "Fetch\n└─ any → Check (5m later)\n   └─ success → Report\n      └─ success → Mail\n",
  );
  expect((await belfry.json<ChainGraph>("chain", "graph")).tasks.map(({ level }) => level)).toEqual([0, 1, 1, 1, 2, 3]);
  expect(await belfry.call(["chain", "graph", "Alone"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: 'Task "Alone" is not in any chain\n',
  });
});

test("run show and why name the run that started a run", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Load", "Report");
  await belfry.text("chain", "add", "Load", "Report");
  expect(await belfry.text("why", "Report")).toMatch(
    /after Load: There is no record of an ended run of "Load" by this time: none had ended, or retention deleted it/,
  );
  await belfry.text("task", "run", "Load", "--wait");
  const run = await until("the report", async () => {
    const { runs } = await belfry.json<{ runs: Run[] }>("run", "list", "--task", "Report");
    return runs[0]?.state === "succeeded" ? runs[0] : null;
  });
  expect(await belfry.text("run", "show", run.id)).toMatch(
    new RegExp(`Trigger +completion: chain chn_\\w+\\nAfter +Load: succeeded \\(${run.source_run_id}\\)`),
  );
  expect(await belfry.text("run", "list", "--trigger", "completion")).toContain(run.id);
  expect(await belfry.text("why", "Report")).toMatch(
    new RegExp(`after Load: "Load" succeeded, and the run after it exited with code 0 \\(${run.id}\\)`),
  );
});
