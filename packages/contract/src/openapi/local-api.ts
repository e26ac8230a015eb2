import { conventions, tags } from "./api-text.ts";
import type { ApiDescription } from "./document.ts";

/** The management API as the local socket serves it. */
export const localApi: ApiDescription = {
  transport: "local",
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

${conventions}
- **Errors** are \`{"error": {"code", "field", "message"}}\`. Decide by \`code\`, not by the HTTP status. Besides the codes listed with each operation, a method that a path does not support fails with \`method_not_allowed\` (405).
- **Secrets** are write-only; reads return at most their names. The few operations that return a secret say so, and are audited.
- Every response has \`X-Request-Id\` and \`X-Service-Version\`. Requests from web pages are rejected.

Each operation lists the minimum capability it needs (\`x-minimum-capability\`: observe, operate, manage or enroll, each including the ones before it), whether the remote API has it (\`x-remote\`), and its error codes (\`x-error-codes\`). A member of an answer with \`x-minimum-capability\` is absent for callers below it, and a member with \`x-remote: false\` is absent for remote callers.
`.trim(),
  tags,
};
