/** What an actor may do; each level includes the ones before it (contract: Authentication 3). */
export const capabilities = ["observe", "operate", "manage", "enroll"] as const;

/** Observe reads; operate runs, cancels, enables and disables; manage defines; enroll admits other actors. */
export type Capability = (typeof capabilities)[number];

/** Whether the capability `held` includes the capability `needed`. */
export function isCapabilityEnough(held: Capability, needed: Capability): boolean {
  return capabilities.indexOf(held) >= capabilities.indexOf(needed);
}
