import { patienceMs, until } from "@belfry/test-kit";
import type { Answer, Json } from "./harness.ts";
import { untilRound, type WithRounds } from "./rounds.ts";

/** A daemon in this process or in one of its own. */
export interface Daemon extends WithRounds {
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

let made = 0;

/** Returns the answer to a call that prepares a test, and throws unless the call succeeds. */
export async function made2xx(answer: Promise<Answer>): Promise<Json> {
  const { status, text, json } = await answer;
  if (status < 200 || status > 299) throw new Error(`could not arrange: ${status} ${text}`);
  return json;
}

export function makeGroup(daemon: Daemon, more: object = {}): Promise<Json> {
  return made2xx(daemon.call("POST", "/v1/groups", { name: `group ${++made}`, ...more }));
}

export function makeTask(daemon: Daemon, script: string, more: object = {}): Promise<Json> {
  return made2xx(
    daemon.call("POST", "/v1/tasks", { name: `task ${++made}`, command: { kind: "shell", script }, ...more }),
  );
}

/** Waits until the task can be started, which needs a connected runner. */
export async function untilReady<T extends { readonly id: string }>(daemon: Daemon, task: T): Promise<T> {
  await untilRound(
    daemon,
    "a runner",
    async () => (await daemon.call("GET", `/v1/tasks/${task.id}`)).json.readiness === "ready",
  );
  return task;
}

/** Starts a run. On a busy machine, the runner may not be ready yet: then the start is refused, and tried again. */
export async function startRun(daemon: Daemon, task: { readonly id: string }, body?: object): Promise<Json> {
  const answer = await until("an accepted start", async () => {
    const now = await daemon.call("POST", `/v1/tasks/${task.id}/run`, body);
    return now.status === 409 && now.text.includes("dispatch_unavailable") ? null : now;
  });
  return made2xx(Promise.resolve(answer));
}

export function getRun(daemon: Daemon, run: { readonly id: string }): Promise<Json> {
  return made2xx(daemon.call("GET", `/v1/runs/${run.id}`));
}

export async function listRuns(daemon: Daemon, query: string): Promise<readonly Json[]> {
  return (await made2xx(daemon.call("GET", `/v1/runs?${query}`))).runs as Json[];
}

export function cancel(daemon: Daemon, run: { readonly id: string }): Promise<Answer> {
  return daemon.call("POST", `/v1/runs/${run.id}/cancel`);
}

export function untilState(daemon: Daemon, run: { readonly id: string }, state: string): Promise<Json> {
  return untilRound(daemon, `run ${run.id} is ${state}`, async () => {
    const now = await getRun(daemon, run);
    return now.state === state ? now : null;
  });
}

export function untilEnd(daemon: Daemon, run: { readonly id: string }, withinMs = patienceMs): Promise<Json> {
  return untilRound(daemon, { what: `the end of ${run.id}`, withinMs }, async () => {
    const now = await getRun(daemon, run);
    return now.ended_at === null ? null : now;
  });
}

/** Makes a task, runs it once, and returns the ended run. */
export async function runOnce(daemon: Daemon, script: string, more: object = {}): Promise<Json> {
  return untilEnd(daemon, await startRun(daemon, await makeTask(daemon, script, more)));
}

export async function outputOf(daemon: Daemon, run: { readonly id: string }, query = ""): Promise<string> {
  return (await daemon.call("GET", `/v1/runs/${run.id}/output${query}`)).text;
}

/** A script step that waits until there is a file at this path. */
export function waitFor(path: string): string {
  return `until [ -e '${path}' ]; do sleep 0.02; done`;
}
