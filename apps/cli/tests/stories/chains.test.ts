import type { Chain, ChainGraph, ChainList, Run } from "@belfry/client";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

type Belfry = Awaited<ReturnType<typeof startBelfry>>;

async function addTasks(belfry: Belfry, ...names: readonly string[]): Promise<void> {
  for (const name of names) await belfry.say("task", "add", name, "--", "true");
}

test("a chain is added by the names of its tasks, found by them, changed, switched and deleted", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Load", "Report", "Summary");
  expect(await belfry.say("chain", "add", "load", "Report")).toMatch(
    /^Added the chain "Load" → "Report" on success \(chn_\w{20}\)$/m,
  );
  expect(await belfry.say("chain", "edit", "Load", "Report", "--on", "any", "--delay", "90s")).toBe(
    'Changed the chain to "Load" → "Report" on any, 90s later\n',
  );
  const chain = await belfry.json<Chain>("chain", "show", "Load");
  expect(chain).toMatchObject({ on_outcome: "any", delay: "90s", enabled: true });
  expect(await belfry.say("chain", "disable", "Load", "Report")).toMatch(/^Disabled the chain "Load" → "Report"/);
  expect(await belfry.say("chain", "disable", chain.id)).toMatch(/\(it was so already\)$/m);
  expect(await belfry.say("chain", "show", chain.id)).toMatch(/State {2,}disabled: it starts nothing/);
  expect(await belfry.say("chain", "list")).toMatch(/Load +any +Report +90s +disabled +chn_/);
  expect(await belfry.say("chain", "enable", "Load", "Report")).toMatch(/^Enabled/);
  await belfry.say("chain", "edit", "Load", "Report", "--target", "Summary");
  expect((await belfry.json<ChainList>("chain", "list", "--target", "Summary")).chains).toHaveLength(1);
  expect(await belfry.say("task", "show", "Load")).toMatch(/AFTER +ON +STARTS[^]*Load +any +Summary/);
  expect(await belfry.say("chain", "delete", "Load", "Summary")).toMatch(/^Deleted the chain "Load" → "Summary"/);
  expect(await belfry.json("chain", "list")).toEqual({ chains: [], next_cursor: null });
});

test("what is wrong with a chain is said, and how to mend it", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Load", "Report", "Summary");
  await belfry.say("chain", "add", "Load", "Report");
  await belfry.say("chain", "add", "Report", "Summary");
  const cases: readonly (readonly [words: readonly string[], code: number, said: RegExp])[] = [
    [["add", "Summary", "Load"], 2, /would close a cycle: "Summary" → "Load" → "Report" → "Summary"/],
    [["add", "Load", "Load"], 2, /a task cannot follow itself/],
    [["add", "Load", "Report", "--on", "any"], 2, /exists already: change chn_\w{20} instead/],
    [["add", "Load", "Reprot"], 3, /there is no task "Reprot"[^]*Did you mean "Report"/],
    [
      ["show", "Report"],
      2,
      /there are 2 chains of "Report"[^]*Load → Report on success[^]*Report → Summary on success/,
    ],
    [["show", "Load", "Summary"], 3, /there is no chain from "Load" to "Summary"/],
    [["edit", "Load", "Report"], 2, /what shall change/],
    [["add", "Load", "Summary", "--delay", "soon"], 2, /--delay is a number and one of/],
    [["add", "Load", "Summary", "--on", "sucess"], 2, /--on is one of success, failure, any/],
  ];
  for (const [words, code, said] of cases) {
    const outcome = await belfry.call(["chain", ...words]);
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(said)]);
  }
});

test("the graph is drawn as trees: each task below what it follows, and what follows it once", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Fetch", "Load", "Check", "Report", "Alert", "Alone", "Mail");
  await belfry.say("chain", "add", "Fetch", "Load");
  await belfry.say("chain", "add", "Fetch", "Check", "--on", "any", "--delay", "5m");
  await belfry.say("chain", "add", "Fetch", "Alert", "--on", "failure", "--disabled");
  await belfry.say("chain", "add", "Load", "Report");
  await belfry.say("chain", "add", "Check", "Report");
  await belfry.say("chain", "add", "Report", "Mail");
  expect(await belfry.say("chain", "graph")).toBe(
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
  expect(await belfry.say("chain", "graph", "Check")).toBe(
    "Fetch\n└─ any → Check (5m later)\n   └─ success → Report\n      └─ success → Mail\n",
  );
  expect((await belfry.json<ChainGraph>("chain", "graph")).tasks.map(({ level }) => level)).toEqual([0, 1, 1, 1, 2, 3]);
  expect(await belfry.call(["chain", "graph", "Alone"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: 'No chain leads to "Alone" or on from it\n',
  });
});

test("a run and why say which end asked for it", async () => {
  await using belfry = await startBelfry();
  await addTasks(belfry, "Load", "Report");
  await belfry.say("chain", "add", "Load", "Report");
  expect(await belfry.say("why", "Report")).toMatch(/after Load: No run of "Load" had ended up to this time/);
  await belfry.say("task", "run", "Load", "--wait");
  const run = await until("the report", async () => {
    const { runs } = await belfry.json<{ runs: Run[] }>("run", "list", "--task", "Report");
    return runs[0]?.state === "succeeded" ? runs[0] : null;
  });
  expect(await belfry.say("run", "show", run.id)).toMatch(
    new RegExp(`Asked for by +completion\\nAfter +Load: succeeded \\(${run.source_run_id}\\)`),
  );
  expect(await belfry.say("run", "list", "--trigger", "completion")).toContain(run.id);
  expect(await belfry.say("why", "Report")).toMatch(
    new RegExp(`after Load: After "Load" ended with success it started, and exited with code 0 \\(${run.id}\\)`),
  );
});
