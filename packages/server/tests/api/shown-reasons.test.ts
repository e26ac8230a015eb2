import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSchedule, makeTask, makeWatcher } from "../support/api.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import { link, startedBy } from "../support/chains.ts";
import type { Json } from "../support/harness.ts";
import { getRun, made2xx, startRun, untilEnd } from "../support/tasks.ts";

/* Real failures to start, whose texts name programs and directories. */
const word = "planted6Tq4";
let app: TestApplication;
let place: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  [app, place] = await Promise.all([openTestApplication({ canRun: true }), tempDir(`${word}-`)]);
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await place?.[Symbol.asyncDispose]();
});

const start = "could not be started: the program, its interpreter or its working directory";
const exec = (program: string) => ({ kind: "exec", program, arguments: [word] });
const cases: readonly (readonly [what: string, task: (folder: string) => object, shown: string])[] = [
  ["a missing program", (folder) => ({ command: exec(`${folder}/no`) }), "was not found (ENOENT)"],
  ["a program that is in no directory of PATH", () => ({ command: exec(word) }), "was not found (ENOENT)"],
  [
    "a file that is no program",
    (folder) => ({ command: exec(`${folder}/file`) }),
    "cannot be executed or entered: permission denied (EACCES)",
  ],
  [
    "a name that is too long",
    (folder) => ({ command: exec(`${folder}/${word.repeat(400)}`) }),
    "has a name that is longer than the system allows (ENAMETOOLONG)",
  ],
  [
    "a missing working directory",
    (folder) => ({ command: exec("true"), working_directory: `${folder}/no` }),
    "was not found (ENOENT)",
  ],
  [
    "a file as working directory",
    (folder) => ({ command: exec("true"), working_directory: `${folder}/file` }),
    "is not a directory, or a part of its path is a file (ENOTDIR)",
  ],
  [
    "a program below a file",
    (folder) => ({ command: exec(`${folder}/file/x`) }),
    "is not a directory, or a part of its path is a file (ENOTDIR)",
  ],
];

test.each(cases)("%s: a manager reads its path, others only the cause", async (_, task, shown) => {
  app.actAs("enroll");
  await writeFile(join(place.path, "file"), "no program", { mode: 0o644 });
  const run = await untilEnd(app, await startRun(app, await makeTask(app, task(place.path))));
  expect(run.reason).toBe("spawn_error");
  for (const transport of ["local", "remote"] as const) {
    for (const capability of ["observe", "operate"] as const) {
      app.actAs(capability, transport);
      const { text } = await app.call("GET", `/v1/runs/${run.id}`);
      expect(JSON.parse(text).reason_text).toBe(`${start} ${shown}`);
      expect(text).not.toContain(word);
    }
    app.actAs("manage", transport);
    expect((await getRun(app, run)).reason_text).toContain(word);
  }
});

/** The rows of runs that the explanations of `why` quote. */
function setRun({ id }: Json, columns: Readonly<Record<string, string | number | null>>): void {
  const names = Object.keys(columns).map((name) => `${name} = ?`);
  app.sqlite.prepare(`UPDATE runs SET ${names.join(", ")} WHERE id = ?`).run(...Object.values(columns), id);
}

test("the sentences of `why` name no program, directory or process to those who may not see them", async () => {
  app.actAs("enroll");
  const failing = { command: exec(`${place.path}/no`) };
  const schedule = await makeSchedule(app);
  const task = { id: schedule.task_id as string };
  await made2xx(app.call("PATCH", `/v1/tasks/${task.id}`, failing));
  const { id: watcherId } = await makeWatcher(app);
  await made2xx(app.call("PATCH", `/v1/filesystem-watchers/${watcherId}`, { target_task_id: task.id }));
  const [source, cancelled] = [await makeTask(app, failing), await makeTask(app, failing)];
  await link(app, source, task, { on_outcome: "any" });
  await link(app, cancelled, task, { on_outcome: "success" });
  const ended = async (of: { readonly id: string }): Promise<Json> => untilEnd(app, await startRun(app, of));
  const [ofSchedule, ofWatcher] = [await ended(task), await ended(task)];
  setRun(ofSchedule, { source_schedule_id: schedule.id, scheduled_for: Date.now() });
  setRun(ofWatcher, { source_watcher_id: watcherId });
  const [next] = await startedBy(app, await ended(source));
  await untilEnd(app, next);
  const last = await ended(cancelled);
  setRun(last, {
    state: "cancelled",
    outcome: null,
    reason: "cancelled",
    reason_text: `was cancelled; these processes did not end: ${word}`,
  });

  const why = (): Promise<Json> => made2xx(app.call("GET", `/v1/tasks/${task.id}/why?at=${last.ended_at}`));
  const reasonsOf = ({ schedules, chains, watchers }: Json): readonly string[] =>
    [...schedules, ...chains, ...watchers].map(({ reason }: Json) => reason as string);
  app.actAs("manage");
  const whole = reasonsOf(await why());
  app.actAs("observe");
  const shown = reasonsOf(await why());
  expect(whole.filter((reason) => reason.includes(word))).toHaveLength(4);
  expect(shown.filter((reason) => reason.includes(word))).toEqual([]);
  expect(shown.filter((reason) => reason.includes(`${start} was not found (ENOENT)`))).toHaveLength(3);
  expect(shown.some((reason) => reason.includes("was cancelled, so it has no outcome"))).toBe(true);
});
