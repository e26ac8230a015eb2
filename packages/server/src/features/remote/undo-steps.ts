/** Undoes one step of a change. */
export type Step = () => void | Promise<void>;

/**
 * Undoes the steps of a change, the last one first. A step that fails does not keep the others from being undone: a full
 * disk that keeps the configuration as it is must not leave the port open too. Throws the first error at the end.
 */
export async function undoSteps(steps: readonly Step[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps.toReversed()) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
