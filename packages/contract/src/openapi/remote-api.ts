import { conventions, tags } from "./api-text.ts";
import type { ApiDescription } from "./document.ts";

/** The reviewed part of the management API that the daemon serves over TLS 1.3 (contract: Remote HTTPS adapter). */
export const remoteApi: ApiDescription = {
  transport: "remote",
  base: "/api/v1",
  title: "Belfry remote API",
  version: "v1",
  server: {
    url: "https://belfry.internal:7443",
    description:
      "A daemon whose remote API is enabled. Use one of its addresses in place of this host. It accepts TLS 1.3 only.",
  },
  security: {
    type: "http",
    scheme: "bearer",
    description:
      "The access token that enrolment returned, in exactly one header `Authorization: Bearer <token>`. Never in the URL.",
  },
  description: `
This is the part of Belfry's management API that a daemon serves to other machines, if its remote API is enabled. Every other path answers \`not_found\`, as an unknown path does.

- **Trust**: the daemon's certificate comes from its own root, which the invitation of a pairing contains. Verify the certificate with this root alone. Compare \`installation_id\` of the manifest with the expected identity before you send a token.
- **Enrolment**: \`access.enroll\` exchanges the phrase of a pairing for an access token, once.
- **Order**: a request is first routed and counted against the limits, then authenticated, then authorized, and only then parsed.
- **401**: \`unauthorized\` means that the token is missing, malformed or unknown, or that the actor has expired; \`credential_revoked\` means that the access was revoked. **429** \`rate_limited\` has \`Retry-After: 1\`.
- **Requests from browsers** are rejected with \`origin_rejected\`.
${conventions}
- **Errors** are \`{"error": {"code", "field", "message"}}\`. Decide by \`code\`, not by the HTTP status.
- Every response has \`X-Request-Id\` and \`X-Service-Version\`.

Each operation lists the minimum capability it needs (\`x-minimum-capability\`: observe, operate, manage or enroll, each including the ones before it) and its error codes (\`x-error-codes\`). A member of an answer with \`x-minimum-capability\` is absent for callers below it.
`.trim(),
  tags,
};
