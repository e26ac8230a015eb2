export type { Streams } from "./expiry.ts";
export type { AccessFact } from "./facts.ts";
export { type Access, openAccess } from "./open.ts";
export type { InvitationTrust } from "./pairings.ts";
export { requireCapability } from "./require-capability.ts";
