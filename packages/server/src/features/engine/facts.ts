/**
 * Runs may start now: a run was requested, or a slot is free again. Recorded once per write, after all requests of the
 * write.
 */
export interface DispatchRequested {
  readonly name: "dispatch.requested";
}
