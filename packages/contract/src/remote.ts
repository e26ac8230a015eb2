/** The values that a remote client needs at run time. This entry imports no zod, so that a client stays small. */
export { capabilities, type Capability, isCapabilityEnough } from "./core/capability.ts";
export { type Invitation, type InvitedTrust, parseInvitation } from "./modules/pairings/invitation.ts";
export { serverNameOf } from "./modules/remote/server-name.ts";
