/** What an actor may do, each level holding the ones before it (contract: Authentication 3). */
export const capabilities = ["observe", "operate", "manage", "enroll"] as const;

/** Observe reads; Operate runs, cancels and switches; Manage defines; Enroll decides who may come in. */
export type Capability = (typeof capabilities)[number];

/** Whether `held` is enough where `needed` is the minimum. */
export function isCapabilityEnough(held: Capability, needed: Capability): boolean {
  return capabilities.indexOf(held) >= capabilities.indexOf(needed);
}
