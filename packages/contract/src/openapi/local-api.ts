import type { ApiDescription } from "./document.ts";

/** The management API as the local socket serves it. */
export const localApi: ApiDescription = {
  base: "/v1",
  title: "Belfry",
  version: "v1",
  server: {
    url: "http://belfry",
    description:
      "The daemon's local socket or named pipe; any host name will do: `curl --unix-socket <socket> http://belfry/v1/health`. Who may open the socket is the local actor: no credential is sent.",
  },
  description: `
Belfry runs tasks on schedules. This is the whole of its management API, as the local socket serves it.

- **Times** are RFC 3339; answers are in UTC with milliseconds. **Durations** are a number and one of \`ms\`, \`s\`, \`m\`, \`h\`, \`d\`, such as \`90s\`. \`x-minimum\` and \`x-maximum\` bound both, in whole milliseconds; of a time, once its offset is applied. \`x-maximum-bytes\` bounds a string by its length in UTF-8; \`maxLength\` counts a character beyond U+FFFF as two.
- **Ids** are opaque. Any text may be asked for: what names nothing is \`not_found\`.
- **Answers are open**: ignore members and error codes you do not know. **Bodies are closed**: an unknown member is refused and named, and so is a string with half of a surrogate pair.
- **Errors** are \`{"error": {"code", "field", "message"}}\`. Classify by \`code\`, before the status. Besides the codes listed with each operation, any request may meet \`method_not_allowed\` (405), \`request_timeout\` (408) and \`headers_too_large\` (431).
- **Lists** come newest first, with a \`next_cursor\` that is null on the last page. A cursor belongs to its operation and filters.
- **PATCH** changes the members it names. \`null\` clears one; \`environment\` and \`labels\` merge by name; other objects are replaced whole.
- **Lost updates** are prevented by sending \`If-Match\` with the \`ETag\` you read. **Lost answers**: send an \`Idempotency-Key\` where it is taken, and the repeated call makes nothing twice.
- **Streams** are server-sent events; \`x-event\` names the event that carries a schema in its \`data\`.
- **Secrets** go in and are not shown again: reads have the names only. The operations that reveal one say so, and are audited.
- Every answer has \`X-Request-Id\` and \`X-Service-Version\`. Requests from web pages are refused.

Each operation names the least capability it needs (\`x-minimum-capability\`: observe, operate, manage, enroll, each holding the ones before it), whether the remote API has it (\`x-remote\`), and the codes it may answer with (\`x-error-codes\`).
`.trim(),
  tags: {
    health: "Whether the daemon answers.",
    manifest: "Who this daemon is, and what it can do.",
    "runtime-info": "Where the running daemon keeps its files.",
    openapi: "This document.",
    groups: "A tree of groups: what is set on one holds for everything below it.",
    tasks: "What is run, with what, and when it counts as done.",
    schedules: "When tasks are run, and what becomes of the times that were missed.",
    runs: "What ran, how it ended, and what it wrote.",
    triggers: "Keys that let others run a task, and nothing else.",
    "trigger-sets": "Triggers of one task that are made, switched and rotated together.",
    chains: "Which task is started when another has ended, and how that one must have ended.",
    "notification-channels": "Where to tell of runs that ended: webhooks.",
    "notification-assignments": "Which tasks and groups tell which channels, and of which outcomes.",
    "notification-deliveries": "What was sent, and what became of it.",
    import: "Many definitions at once, all or nothing.",
    events: "Hints that something changed, as they happen.",
    audit: "Who did what, in a chain of hashes that shows tampering.",
    idempotency: "Whether a call whose answer was lost took effect.",
  },
};
