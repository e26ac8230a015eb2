/** The words that many commands take. */
export const argument = {
  task: { name: "task", summary: "its name, group/name or id" },
  group: { name: "group", summary: "its name or id" },
  schedule: { name: "schedule", summary: "its name, task/name or id; or a task with one schedule" },
  trigger: { name: "trigger", summary: "its name or id" },
  triggerSet: { name: "set", summary: "its name or id" },
  run: { name: "run", summary: "its id; or a task, for its newest run" },
  chain: { name: "chain", summary: "its id or its source task; or a task that is in one chain" },
  chainTarget: { name: "target", summary: "its target task", isOptional: true },
  channel: { name: "channel", summary: "its name or id" },
  delivery: { name: "delivery", summary: "its id" },
} as const;
