/** The words that many commands take. */
export const argument = {
  task: { name: "task", summary: "its name, group/name or id" },
  group: { name: "group", summary: "its name or id" },
  schedule: { name: "schedule", summary: "its name, task/name or id; or a task with one schedule" },
  run: { name: "run", summary: "its id; or a task, for its newest run" },
  channel: { name: "channel", summary: "its name or id" },
  delivery: { name: "delivery", summary: "its id" },
} as const;
