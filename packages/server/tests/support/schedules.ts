import { ManualClock, tempDir } from "@belfry/test-kit";
import { endRunners, type Harness, type HarnessOptions, type Json, startDaemon } from "./harness.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A daemon that may be stopped and started again on the same directory, and the calls that these tests make. */
export async function openScheduling(start: string, options: HarnessOptions = {}) {
  const dir = await tempDir("bf-");
  const clock = new ManualClock(start);
  // no run starts, because these tests are about rows
  const settings = { clock, dataDir: dir.path, ...options, config: { runsAtOnceMax: 0, ...options.config } };
  let daemon: Harness = await startDaemon(settings);

  const get = async (path: string): Promise<Json> => (await daemon.call("GET", path)).json;
  const send = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const { status, json } = await daemon.call(method, path, body);
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  };

  return {
    clock,
    dataDir: dir.path,
    get rounds() {
      return daemon.rounds;
    },
    get,
    send,
    call: (method: string, path: string, body?: unknown) => daemon.call(method, path, body),
    stop: () => daemon.stop(),
    start: async (more: HarnessOptions = {}): Promise<void> => {
      daemon = await startDaemon({ ...settings, ...more, config: { ...settings.config, ...more.config } });
    },
    addTask: (more: object = {}): Promise<Json> =>
      send("POST", "/v1/tasks", {
        name: "work",
        command: { kind: "exec", program: "/bin/true", arguments: [] },
        ...more,
      }),
    addSchedule: (taskId: string, timing: object): Promise<Json> =>
      send("POST", "/v1/schedules", { task_id: taskId, ...timing }),
    /** The runs of a task, in the order of their scheduled times. */
    runs: async (taskId: string): Promise<Json[]> => {
      const { runs } = await get(`/v1/runs?limit=1000&task_id=${taskId}`);
      return (runs as Json[]).toSorted((a, b) => (a.scheduled_for < b.scheduled_for ? -1 : 1));
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await daemon.stop();
      await endRunners(dir.path);
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** `08 03:00` of a time in UTC, short enough to compare by eye. */
export function short(instant: string): string {
  return `${instant.slice(8, 10)} ${instant.slice(11, 16)}`;
}

/** One line for each row: time, state, reason, and the merged range. */
export function describeRow(run: Json): string {
  const range = run.coalesced === 0 ? "" : ` +${run.coalesced} from ${short(run.coalesced_from)}`;
  return `${short(run.scheduled_for)} ${run.state}${run.reason === null ? "" : ` ${run.reason}`}${range}`;
}
