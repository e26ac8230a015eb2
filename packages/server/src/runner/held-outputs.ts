/** The output of one attempt, from its start until no process holds its pipes any more. */
export interface HeldOutput {
  /** Called when the attempt has ended: what holds the output now is a leftover. */
  readonly leave: () => void;
}

/**
 * Counts the outputs that processes hold open. A leftover may run for months: nothing here refers to its attempt, so
 * that the memory of an ended attempt is free.
 */
export class HeldOutputs {
  readonly #onClose: () => void;
  #open = 0;
  #leftovers = 0;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  /** The number of outputs that a process holds open. */
  get open(): number {
    return this.#open;
  }

  /** The number of open outputs whose attempts have ended. */
  get leftovers(): number {
    return this.#leftovers;
  }

  readonly hold = (until: Promise<unknown>): HeldOutput => {
    let isOpen = true;
    let isLeft = false;
    this.#open++;
    void until.then(() => {
      isOpen = false;
      this.#open--;
      if (isLeft) this.#leftovers--;
      this.#onClose();
    });
    return {
      leave: () => {
        if (!isOpen || isLeft) return;
        isLeft = true;
        this.#leftovers++;
      },
    };
  };
}
