import { until } from "@belfry/test-kit";
import type { Harness, Json } from "../../../../packages/server/tests/support/harness.ts";

/** One of each thing that a screen shows. */
export interface Samples {
  readonly task: string;
  readonly run: string;
  readonly trigger: string;
  readonly watcher: string;
  readonly channel: string;
  readonly delivery: string;
  readonly actor: string;
}

export const sampleTask = "Backup";

/** For the pages that need none. */
export const noSamples: Samples = { task: "", run: "", trigger: "", watcher: "", channel: "", delivery: "", actor: "" };

/** Makes one of each thing that a screen shows. */
export async function makeSamples({ call }: Pick<Harness, "call">): Promise<Samples> {
  const make = async (path: string, body: object): Promise<Json> => {
    const { status, json, text } = await call("POST", path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return json;
  };
  const task = await make("/v1/tasks", { name: sampleTask, command: { kind: "shell", script: "echo saved" } });
  await make("/v1/schedules", { task_id: task.id, kind: "interval", every: "1h" });
  const trigger = await make("/v1/triggers", { target_task_id: task.id, name: "Deploy" });
  const file = { kind: "file", path: "/srv/inbox.csv" };
  const watcher = await make("/v1/filesystem-watchers", { name: "Inbox", target_task_id: task.id, ...file });
  const endpoint = "http://127.0.0.1:9/hook";
  const channel = await make("/v1/notification-channels", { name: "On call", endpoint });
  const delivery = await make(`/v1/notification-channels/${channel.id}/test`, {});
  const run = await make(`/v1/tasks/${task.id}/run`, {});
  await until("the end of the run", async () => (await call("GET", `/v1/runs/${run.id}`)).json.ended_at);
  const actor = await make("/v1/access/actors", { name: "Ada", capability: "operate" });
  return {
    task: task.id,
    run: run.id,
    trigger: trigger.id ?? trigger.trigger.id,
    watcher: watcher.id,
    channel: channel.id,
    delivery: delivery.id,
    actor: actor.id,
  };
}

export interface Screen {
  readonly name: string;
  readonly path: (samples: Samples) => string;
  /** The heading once its data is known. */
  readonly heading: string;
  /** What a first use says; null if the page has no list. */
  readonly firstUse: string | null;
  /** It reads from the daemon before it shows anything of its own. */
  readonly reads: boolean;
  /** The capability without which it is not shown. */
  readonly needs: "observe" | "manage" | "enroll";
  /** It shows one thing that has to exist. */
  readonly isOfOne: boolean;
}

type Known = Pick<Screen, "name" | "path" | "heading"> & Partial<Screen>;

const of = (known: Known): Screen => ({
  firstUse: null,
  reads: true,
  needs: "observe",
  isOfOne: false,
  ...known,
});

/** Every page of app/router.tsx but the specimen, which shows components alone. */
export const allScreens: readonly Screen[] = [
  of({ name: "now", path: () => "/", heading: "Now", firstUse: "No tasks yet" }),
  of({ name: "tasks", path: () => "/tasks", heading: "Tasks", firstUse: "No tasks yet" }),
  of({ name: "new task", path: () => "/tasks/new", heading: "New task", reads: false, needs: "manage" }),
  of({ name: "task", path: ({ task }) => `/tasks/${task}`, heading: sampleTask, isOfOne: true }),
  of({
    name: "edit task",
    path: ({ task }) => `/tasks/${task}/edit`,
    heading: `Edit ${sampleTask}`,
    needs: "manage",
    isOfOne: true,
  }),
  of({ name: "runs", path: () => "/runs", heading: "Runs", firstUse: "No runs yet" }),
  of({ name: "run", path: ({ run }) => `/runs/${run}`, heading: sampleTask, isOfOne: true }),
  of({ name: "agenda", path: () => "/agenda", heading: "Agenda", firstUse: "Nothing is scheduled" }),
  of({ name: "import", path: () => "/import", heading: "Import a crontab", reads: false, needs: "manage" }),
  of({ name: "triggers", path: () => "/triggers", heading: "Triggers", firstUse: "No triggers yet" }),
  of({ name: "new trigger", path: () => "/triggers/new", heading: "New trigger", reads: false, needs: "manage" }),
  of({ name: "trigger", path: ({ trigger }) => `/triggers/${trigger}`, heading: "Deploy", isOfOne: true }),
  of({
    name: "edit trigger",
    path: ({ trigger }) => `/triggers/${trigger}/edit`,
    heading: "Edit Deploy",
    needs: "manage",
    isOfOne: true,
  }),
  of({ name: "watchers", path: () => "/watchers", heading: "Watchers", firstUse: "No watchers yet" }),
  of({ name: "new watcher", path: () => "/watchers/new", heading: "New watcher", reads: false, needs: "manage" }),
  of({ name: "watcher", path: ({ watcher }) => `/watchers/${watcher}`, heading: "Inbox", isOfOne: true }),
  of({
    name: "edit watcher",
    path: ({ watcher }) => `/watchers/${watcher}/edit`,
    heading: "Edit Inbox",
    needs: "manage",
    isOfOne: true,
  }),
  of({ name: "channels", path: () => "/channels", heading: "Channels", firstUse: "No channels yet" }),
  of({ name: "new channel", path: () => "/channels/new", heading: "New channel", reads: false, needs: "manage" }),
  of({ name: "channel", path: ({ channel }) => `/channels/${channel}`, heading: "On call", isOfOne: true }),
  of({
    name: "edit channel",
    path: ({ channel }) => `/channels/${channel}/edit`,
    heading: "Edit On call",
    needs: "manage",
    isOfOne: true,
  }),
  of({ name: "deliveries", path: () => "/deliveries", heading: "Deliveries", firstUse: "No deliveries yet" }),
  of({
    name: "delivery",
    path: ({ delivery }) => `/deliveries/${delivery}`,
    heading: "Delivery to On call",
    isOfOne: true,
  }),
  of({ name: "access", path: () => "/access", heading: "Access", needs: "enroll" }),
  of({ name: "actor", path: ({ actor }) => `/access/${actor}`, heading: "Ada", needs: "enroll", isOfOne: true }),
  of({ name: "audit", path: () => "/audit", heading: "Audit", needs: "enroll" }),
  of({ name: "connections", path: () => "/connections", heading: "Connections", reads: false }),
];

/** Looks at each screen, and then tells of every one that failed. */
export async function forEach(list: readonly Screen[], look: (screen: Screen) => Promise<void>): Promise<void> {
  const failed: string[] = [];
  for (const screen of list)
    await look(screen).catch((error: unknown) => failed.push(`${screen.name}: ${String(error).slice(0, 600)}`));
  if (failed.length > 0) throw new Error(failed.join("\n\n"));
}
