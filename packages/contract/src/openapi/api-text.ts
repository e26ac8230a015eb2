/** What both documents say about every operation. */
export const conventions = `
- **Times** are RFC 3339; responses use UTC with milliseconds. **Durations** are a number and one of the units \`ms\`, \`s\`, \`m\`, \`h\` and \`d\`, such as \`90s\`. \`x-minimum\` and \`x-maximum\` are the smallest and the largest allowed time or duration, to the millisecond; times are compared in UTC. \`x-maximum-bytes\` limits the length of a string in UTF-8; \`maxLength\` counts a character beyond U+FFFF as two.
- **Ids** are opaque. Any text is accepted as an id; an unknown id is \`not_found\`.
- **Responses are open**: ignore unknown members and error codes. **Request bodies are closed**: an unknown member is rejected, and so is a string with an unpaired surrogate.
- **Lists** are newest first, with a \`next_cursor\` that is null on the last page. A cursor is valid only for the same operation and filters.
- **PATCH** changes only the given members. \`null\` clears a member; \`environment\` and \`labels\` are merged by name; other objects are replaced as a whole.
- To prevent **lost updates**, send \`If-Match\` with the \`ETag\` you read. To **repeat a call** safely after a lost response, send an \`Idempotency-Key\` where it is supported: the repeated call creates nothing twice.
- **Streams** are server-sent events. A schema with \`x-event\` describes the \`data\` of the event with that name.
`.trim();

/** A sentence for each tag. A document lists only those of its operations. */
export const tags: Readonly<Record<string, string>> = {
  health: "Check that the daemon responds.",
  manifest: "The identity, versions and capabilities of the daemon.",
  "runtime-info": "The paths of the daemon's files.",
  openapi: "This document.",
  groups: "A tree of groups. The settings of a group apply to everything in it.",
  holds: "Holds: while all tasks or the tasks of a group are held, no new run of them starts.",
  tasks: "Tasks: the command to run, its environment, timeout, retries and limits.",
  schedules: "When tasks run, and how missed runs are handled.",
  timeline: "The runs and the scheduled times of many tasks, in one answer.",
  runs: "Run history and output.",
  triggers: "Keys that let other programs run one task and nothing else.",
  "trigger-sets": "Triggers of one task that are created, enabled, disabled and rotated together.",
  watchers: "Run a task when files change.",
  chains: "When a task ends, start another task, depending on the outcome of the first.",
  "notification-channels": "Webhook endpoints for notifications.",
  "notification-assignments": "Which channels are notified of which outcomes, for tasks and groups.",
  "notification-deliveries": "Webhook deliveries and their results.",
  import: "Create many groups, tasks and schedules in one transaction.",
  events: "A live stream of changes.",
  actors: "Who may call the daemon, and what each may do.",
  access: "The caller's own access, and enrolment.",
  pairings: "Offers to enrol one client each. No operation shows the phrase of a pairing again.",
  remote: "The API for other machines: off until you enable it.",
  backups: "Backups of the whole daemon.",
  credentials: "Access tokens of actors. No operation shows a stored token.",
  audit: "The audit trail, with a hash chain that reveals tampering.",
  idempotency: "If the response to a call was lost, find out whether the call took effect.",
};
