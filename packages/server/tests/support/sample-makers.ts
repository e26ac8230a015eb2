import {
  type Api,
  builtInActor,
  fresh,
  makeActor,
  makeChain,
  makeChannel,
  makeGroup,
  makePairing,
  makeSchedule,
  makeTask,
  makeTrigger,
  makeTriggerSet,
  makeWatcher,
} from "./api.ts";
import type { Json } from "./harness.ts";

/** One request, on resources that were created for it. */
export interface Sample {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Make = (api: Api) => Sample | Promise<Sample>;

export const group =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/groups/${(await makeGroup(api)).id}${verb}` });
export const task =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/tasks/${(await makeTask(api)).id}${verb}` });
export const schedule =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/schedules/${(await makeSchedule(api)).id}${verb}` });
export const trigger =
  (verb = "", body: object = {}): Make =>
  async (api) => ({ path: `/v1/triggers/${(await makeTrigger(api, body)).trigger.id}${verb}` });
export const triggerSet =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/trigger-sets/${(await makeTriggerSet(api)).trigger_set.id}${verb}` });
/** Makes a fire of a task in this state. */
export const fireAt =
  (target: object, arrange: (api: Api, made: Json) => unknown = () => {}): Make =>
  async (api) => {
    const made = await makeTrigger(api, {}, target);
    await arrange(api, made);
    return { path: "/v1/triggers/fire", body: { key: made.key } };
  };
export const watcher =
  (verb = "", body: object = {}): Make =>
  async (api) => ({ path: `/v1/filesystem-watchers/${(await makeWatcher(api, body)).id}${verb}` });
export const newWatcher = (target_task_id: string) => ({
  name: fresh("watcher"),
  kind: "directory",
  path: "/missing/inbox",
  pattern: "*.{csv,json}",
  recursive: true,
  debounce: "250ms",
  stability: "2s",
  max_wait: "5m",
  on_start: "ignore",
  target_task_id,
  enabled: false,
});
export const chain: Make = async (api) => ({ path: `/v1/chains/${(await makeChain(api)).id}` });
export const channel =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/notification-channels/${(await makeChannel(api)).id}${verb}` });
/** The assignments that `make` creates, each with a channel of its own. */
export const assigned =
  (make: Make): Make =>
  async (api) => {
    const { path } = await make(api);
    const assignments = [{ channel_id: (await makeChannel(api)).id, on_success: false, on_failure: true }];
    return { path, body: { assignments } };
  };
export const actor =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/access/actors/${(await makeActor(api)).id}${verb}` });
export const pairing =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/access/pairings/${(await makePairing(api)).pairing_id}${verb}` });
export const builtIn =
  (verb = "", body?: object): Make =>
  async (api) => ({ path: `/v1/access/actors/${(await builtInActor(api)).id}${verb}`, ...(body && { body }) });
export const at =
  (path: string, body?: unknown): Make =>
  () => ({ path, ...(body === undefined ? {} : { body }) });
export const with_ =
  (make: Make, body: unknown): Make =>
  async (api) => ({ ...(await make(api)), body });
