import type { ApiDescription } from "./document.ts";

/** The management API as the local socket serves it. */
export const localApi: ApiDescription = {
  base: "/v1",
  title: "Belfry",
  version: "v1",
  server: {
    url: "http://belfry",
    description:
      "The daemon's local socket or named pipe, with any host name: `curl --unix-socket <socket> http://belfry/v1/health`. Anyone who can connect to the socket is the local actor and needs no credentials.",
  },
  description: `
Belfry runs tasks on schedules. This is its complete management API, as served on the local socket.

- **Times** are RFC 3339; responses use UTC with milliseconds. **Durations** are a number and one of the units \`ms\`, \`s\`, \`m\`, \`h\` and \`d\`, such as \`90s\`. \`x-minimum\` and \`x-maximum\` are the smallest and the largest allowed time or duration, to the millisecond; times are compared in UTC. \`x-maximum-bytes\` limits the length of a string in UTF-8; \`maxLength\` counts a character beyond U+FFFF as two.
- **Ids** are opaque. Any text is accepted as an id; an unknown id is \`not_found\`.
- **Responses are open**: ignore unknown members and error codes. **Request bodies are closed**: an unknown member is rejected, and so is a string with an unpaired surrogate.
- **Errors** are \`{"error": {"code", "field", "message"}}\`. Decide by \`code\`, not by the HTTP status. Besides the codes listed with each operation, any request can fail with \`method_not_allowed\` (405), \`request_timeout\` (408) and \`headers_too_large\` (431).
- **Lists** are newest first, with a \`next_cursor\` that is null on the last page. A cursor is valid only for the same operation and filters.
- **PATCH** changes only the given members. \`null\` clears a member; \`environment\` and \`labels\` are merged by name; other objects are replaced as a whole.
- To prevent **lost updates**, send \`If-Match\` with the \`ETag\` you read. To **repeat a call** safely after a lost response, send an \`Idempotency-Key\` where it is supported: the repeated call creates nothing twice.
- **Streams** are server-sent events. A schema with \`x-event\` describes the \`data\` of the event with that name.
- **Secrets** are write-only; reads return at most their names. The few operations that return a secret say so, and are audited.
- Every response has \`X-Request-Id\` and \`X-Service-Version\`. Requests from web pages are rejected.

Each operation lists the minimum capability it needs (\`x-minimum-capability\`: observe, operate, manage or enroll, each including the ones before it), whether the remote API has it (\`x-remote\`), and its error codes (\`x-error-codes\`). A member of an answer with \`x-minimum-capability\` is absent for callers below it, and a member with \`x-remote: false\` is absent for remote callers.
`.trim(),
  tags: {
    health: "Check that the daemon responds.",
    manifest: "The identity, versions and capabilities of the daemon.",
    "runtime-info": "The paths of the daemon's files.",
    openapi: "This document.",
    groups: "A tree of groups. The settings of a group apply to everything in it.",
    tasks: "Tasks: the command to run, its environment, timeout, retries and limits.",
    schedules: "When tasks run, and how missed runs are handled.",
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
    credentials: "Access tokens of actors. No operation shows a stored token.",
    audit: "The audit trail, with a hash chain that reveals tampering.",
    idempotency: "If the response to a call was lost, find out whether the call took effect.",
  },
};
