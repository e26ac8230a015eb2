import { limits } from "@belfry/contract";
import BetterSqlite from "better-sqlite3";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Harness, Json } from "./harness.ts";
import { untilRound, type WithRounds } from "./rounds.ts";
import type { TestApplication } from "./application.ts";
import { newId } from "../../src/kernel/ids.ts";
import { freePlace } from "./ports.ts";
import { sharedReceiver } from "./receiver.ts";

/** The part of a daemon that tests use, with or without a socket. */
export interface Api extends Pick<Harness, "call" | "dataDir">, WithRounds {
  /** For a daemon that sends nothing: the test itself ends deliveries. */
  readonly inside?: Pick<TestApplication["inside"], "write" | "deliveries">;
}

/** Valid ids of no resource. */
export const missing = {
  group: "grp_00000000000000000000",
  task: "tsk_00000000000000000000",
  schedule: "sch_00000000000000000000",
  run: "run_00000000000000000000",
  trigger: "trg_00000000000000000000",
  triggerSet: "set_00000000000000000000",
  watcher: "wch_00000000000000000000",
  chain: "chn_00000000000000000000",
  import: "imp_00000000000000000000",
  channel: "nch_00000000000000000000",
  delivery: "dlv_00000000000000000000",
  actor: "act_00000000000000000000",
  credential: "crd_00000000000000000000",
  pairing: "par_00000000000000000000",
} as const;

let made = 0;

/** A name that is unique to its test. */
export function fresh(word: string): string {
  return `${word} ${++made}`;
}

/** Far enough ahead that a run requested for then stays in the queue. */
export const muchLater = "2990-01-01T00:00:00Z";

async function made201(answer: Promise<Answer>, status = 201): Promise<Json> {
  const { json, status: got, text } = await answer;
  if (got !== status) throw new Error(`could not arrange: ${got} ${text}`);
  return json;
}

export function makeGroup(api: Api, body: object = {}): Promise<Json> {
  return made201(api.call("POST", "/v1/groups", { name: fresh("group"), ...body }));
}

/** A task that is ready, and does nothing when it runs. */
export function makeTask(api: Api, body: object = {}): Promise<Json> {
  return made201(
    api.call("POST", "/v1/tasks", { name: fresh("task"), command: { kind: "exec", program: "true" }, ...body }),
  );
}

export async function makeSchedule(api: Api, body: object = {}): Promise<Json> {
  const task_id = (await makeTask(api)).id as string;
  return made201(api.call("POST", "/v1/schedules", { task_id, kind: "cron", expression: "0 3 1 1 *", ...body }));
}

/** A trigger with its key: `{ trigger, key, command }`. */
export async function makeTrigger(api: Api, body: object = {}, task: object = {}): Promise<Json> {
  const target_task_id = (await makeTask(api, task)).id as string;
  return made201(api.call("POST", "/v1/triggers", { name: fresh("trigger"), target_task_id, ...body }));
}

/** A trigger set with its keys: `{ trigger_set, keys }`. */
export async function makeTriggerSet(api: Api, body: object = {}, task: object = {}): Promise<Json> {
  const target_task_id = (await makeTask(api, task)).id as string;
  const count = "member_names" in body ? {} : { count: 3 };
  return made201(api.call("POST", "/v1/trigger-sets", { name: fresh("set"), target_task_id, ...count, ...body }));
}

/** A watcher of a directory that does not exist. */
export async function makeWatcher(api: Api, body: object = {}, task: object = {}): Promise<Json> {
  const target_task_id = (await makeTask(api, task)).id as string;
  const watcher = { name: fresh("watcher"), kind: "directory", path: "/missing/inbox", target_task_id, ...body };
  return made201(api.call("POST", "/v1/filesystem-watchers", watcher));
}

/** A chain between two new tasks. */
export async function makeChain(api: Api, body: object = {}): Promise<Json> {
  const [source, target] = [await makeTask(api), await makeTask(api)];
  const chain = { source_task_id: source.id, target_task_id: target.id, on_outcome: "success", ...body };
  return made201(api.call("POST", "/v1/chains", chain));
}

/** A channel without a receiver: port 9 of this machine refuses connections. */
export function makeChannel(api: Api, body: object = {}): Promise<Json> {
  const channel = { name: fresh("channel"), endpoint: "http://127.0.0.1:9/hook", ...body };
  return made201(api.call("POST", "/v1/notification-channels", channel));
}

/** A channel whose receiver accepts everything. */
export async function makeReachedChannel(api: Api): Promise<Json> {
  return makeChannel(api, { endpoint: (await sharedReceiver()).url });
}

/** A delivery that has ended. */
export async function makeEndedDelivery(api: Api): Promise<Json> {
  const { id: channelId } = await makeReachedChannel(api);
  const { id } = await made201(api.call("POST", `/v1/notification-channels/${channelId}/test`), 202);
  const { inside } = api;
  inside?.write((unit) => {
    const claim = inside.deliveries.claim(unit, inside.deliveries.get(id));
    inside.deliveries.recordResult(unit, claim, { kind: "delivered", status: 204, diagnostic: null });
  });
  return untilRound(api, `the end of ${id}`, async () => {
    const { json } = await api.call("GET", `/v1/notification-deliveries/${id}`);
    return json.ended_at === null ? null : json;
  });
}

/** An actor that may do everything. */
export function makeActor(api: Api, body: object = {}): Promise<Json> {
  return made201(api.call("POST", "/v1/access/actors", { name: fresh("actor"), capability: "enroll", ...body }));
}

/** The actor that the daemon itself made. */
export async function builtInActor(api: Api): Promise<Json> {
  const { json } = await api.call("GET", "/v1/access/actors");
  return json.actors.find((actor: Json) => actor.built_in);
}

/** A credential of a new actor, written without the daemon: no call creates one without a pairing. */
export async function makeCredential(api: Api): Promise<Json> {
  const { id: actor_id } = await makeActor(api);
  const id = newId("crd");
  const sqlite = new BetterSqlite(join(api.dataDir, "belfry.db"));
  try {
    const insert = sqlite.prepare(
      `INSERT INTO credentials (id, actor_id, display_name, kind, public_part, salt, token_hash, created_at)
       VALUES (?, ?, 'laptop', 'cli', ?, x'00', x'00', 0)`,
    );
    insert.run(id, actor_id, id.slice(4));
  } finally {
    sqlite.close();
  }
  return { id, actor_id };
}

/** Enables the remote API on a port of this machine, unless it is enabled already. */
export async function enableRemote(api: Pick<Api, "call">): Promise<void> {
  if ((await api.call("GET", "/v1/remote")).json.enabled === true) return;
  await made201(api.call("POST", "/v1/remote/enable", await freePlace()), 200);
}

/** A pairing of a new actor, with its phrase. */
export async function makePairing(api: Api, body: object = {}): Promise<Json> {
  await enableRemote(api);
  const grant = "actor_id" in body ? {} : { name: fresh("client"), capability: "operate" };
  return made201(api.call("POST", "/v1/access/pairings", { ...grant, ...body }));
}

/** The body that enrols with a new pairing. */
export async function enrollmentOf(api: Api, body: object = {}): Promise<Json> {
  const { pairing_id, phrase, daemon_id } = await makePairing(api, body);
  return { pairing_id, phrase, daemon_id };
}

/** A run that stays in the queue. */
export async function makeQueuedRun(api: Api, task: object = {}): Promise<Json> {
  const { id } = await makeTask(api, task);
  return made201(api.call("POST", `/v1/tasks/${id}/run`, { scheduled_for: muchLater }), 202);
}

/** Fills a task's queue, except for this many places. */
export async function fillQueue(api: Api, taskId: string, room = 0): Promise<void> {
  const path = `/v1/tasks/${taskId}/run`;
  for (let left = limits.queuedRunsPerTaskMax - room; left > 0; left -= 100) {
    const asked = Array.from({ length: Math.min(left, 100) }, () =>
      api.call("POST", path, { scheduled_for: muchLater }),
    );
    await Promise.all(asked.map((answer) => made201(answer, 202)));
  }
}

/** A run that has ended. */
export async function makeEndedRun(api: Api, task: object = {}): Promise<Json> {
  const { id } = await makeTask(api, task);
  const run = await made201(api.call("POST", `/v1/tasks/${id}/run`), 202);
  return endOf(api, run.id);
}

export function endOf(api: Api, runId: string): Promise<Json> {
  return untilRound(api, `the end of ${runId}`, async () => {
    const { json } = await api.call("GET", `/v1/runs/${runId}`);
    return json.ended_at === null ? null : json;
  });
}

export interface AuditRow {
  readonly operation: string;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly result: string;
  readonly error_code: string | null;
  readonly changed_fields_json: string;
}

/** The audit rows of one request, read without the daemon. */
export function auditRowsOf(api: Pick<Api, "dataDir">, answer: Pick<Answer, "headers">): readonly AuditRow[] {
  return query(api, "SELECT * FROM audit_events WHERE request_id = ?", String(answer.headers["x-request-id"]));
}

/** Rows of the daemon's database, through the test's own connection. */
export function query<R>(api: Pick<Api, "dataDir">, sql: string, ...values: readonly unknown[]): readonly R[] {
  const sqlite = new BetterSqlite(join(api.dataDir, "belfry.db"), { readonly: true });
  try {
    return sqlite.prepare(sql).all(...values) as R[];
  } finally {
    sqlite.close();
  }
}

/** Changes the daemon's database as another program can: with values, by one statement. */
export function changeRows(api: Pick<Api, "dataDir">, sql: string, ...values: readonly unknown[]): void {
  const sqlite = new BetterSqlite(join(api.dataDir, "belfry.db"));
  try {
    if (values.length === 0) sqlite.exec(sql);
    else sqlite.prepare(sql).run(...values);
  } finally {
    sqlite.close();
  }
}

/** The bytes of the database and its log, as any reader of the files sees them. */
export function bytesOnDisk(dataDir: string): Buffer {
  const files = ["belfry.db", "belfry.db-wal"].map((name) => join(dataDir, name)).filter((path) => existsSync(path));
  return Buffer.concat(files.map((path) => readFileSync(path)));
}

/**
 * Every row of every table except the named ones: a refused call must not change them. When an actor was
 * last seen and a credential last used is left out: one timer writes both, up to a minute after a former call.
 */
export function everything(api: Pick<Api, "dataDir">, but: readonly string[] = []): Readonly<Record<string, unknown>> {
  // each row of the trail moves its head
  const without = but.includes("audit_events") ? [...but, "audit_head"] : but;
  const tables = query<{ name: string }>(api, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map(({ name }) => name)
    .filter((name) => !without.includes(name) && !name.startsWith("sqlite_"));
  const rowsOf = (table: string): readonly unknown[] =>
    query<Record<string, unknown>>(api, `SELECT * FROM "${table}"`).map(
      ({ last_seen_at: _seen, last_used_at: _used, ...row }) => row,
    );
  return Object.fromEntries(tables.map((table) => [table, rowsOf(table)]));
}
