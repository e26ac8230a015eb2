/** What happened to a caller without a valid access token. */
export type Refused =
  | "unauthorized"
  | "credential_revoked"
  | "not_found"
  | "enrollments_refused"
  | "rate_limited"
  | "connections_dropped"
  | "handshakes_failed";
