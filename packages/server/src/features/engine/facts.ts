/** Runs may start now: a run was requested, or a slot is free again. Once per write, after all requests of the same write. */
export interface DispatchRequested {
  readonly name: "dispatch.requested";
}
