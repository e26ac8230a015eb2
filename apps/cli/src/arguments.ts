/** Arguments that many commands share. */
export const argument = {
  task: { name: "task", summary: "task name, group/name, /name (in no group) or id" },
  group: { name: "group", summary: "group name or id" },
  schedule: { name: "schedule", summary: "schedule name, task/name or id; or a task that has only one schedule" },
  trigger: { name: "trigger", summary: "trigger name or id" },
  triggerSet: { name: "set", summary: "trigger set name or id" },
  watcher: { name: "watcher", summary: "watcher name or id" },
  run: { name: "run", summary: "run id; or a task, for its newest run" },
  chain: {
    name: "chain",
    summary: "chain id; or the source task, followed by the target; or a task that is in only one chain",
  },
  chainTarget: { name: "target", summary: "target task of the chain", isOptional: true },
  channel: { name: "channel", summary: "channel name or id" },
  actor: { name: "actor", summary: "actor name or id" },
  credential: { name: "credential", summary: "credential id" },
  pairing: { name: "pairing", summary: "pairing id" },
  import: { name: "import", summary: "import id" },
  delivery: { name: "delivery", summary: "delivery id" },
  profile: { name: "profile", summary: "profile name" },
} as const;
