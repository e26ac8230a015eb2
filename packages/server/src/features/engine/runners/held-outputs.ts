import type { RunnerIdentity } from "../../../runner/identity.ts";

/** A runner that has files for only a few more tasks whose background processes hold their output. */
export interface HeldOutputs {
  readonly runner: RunnerIdentity;
  readonly held: number;
  readonly max: number;
}

/** The runners in which background processes hold the output of more than half of the tasks that they have files for. */
export function createHeldOutputs() {
  const byId = new Map<string, HeldOutputs>();
  return {
    /** Notes a report, which is also sent once when the number falls below the half. */
    note: (outputs: HeldOutputs): void => {
      if (outputs.held * 2 >= outputs.max) byId.set(outputs.runner.id, outputs);
      else byId.delete(outputs.runner.id);
    },
    remove: (id: string): void => void byId.delete(id),
    list: (): readonly HeldOutputs[] => [...byId.values()],
  };
}
