import type { Clock, Timer } from "../../../kernel/time/clock.ts";

export interface AnswerWatchParts {
  readonly clock: Clock;
  /** Called when orders are unanswered and the runner has reported nothing for ten seconds. */
  readonly onSilent: () => void;
  /** Called with the first report after the silence. */
  readonly onResumed: () => void;
}

export type AnswerWatch = ReturnType<typeof createAnswerWatch>;

const stepMs = 500;
/** Steps of silence, not time: a daemon that was stopped itself must read what has arrived before it counts on. */
const silentStepsMax = 20;

/**
 * Notices that a runner does not answer. A busy runner answers some orders and is not silent, however long the others
 * wait.
 */
export function createAnswerWatch({ clock, onSilent, onResumed }: AnswerWatchParts) {
  const unanswered = new Set<string>();
  let silentSteps = 0;
  let timer: Timer | null = null;

  return {
    unanswered,
    isSilent: (): boolean => silentSteps >= silentStepsMax,
    expect: (key: string): void => {
      unanswered.add(key);
      if (timer !== null || silentSteps > 0) return;
      timer = clock.after(stepMs, step);
    },
    /** The runner has reported, and perhaps answered one of the orders. */
    note: (key: string | null): void => {
      if (key !== null) unanswered.delete(key);
      const wasSilent = silentSteps >= silentStepsMax;
      silentSteps = 0;
      if (!wasSilent) return;
      if (unanswered.size > 0) timer = clock.after(stepMs, step);
      onResumed();
    },
    stop: (): void => {
      timer?.cancel();
      timer = null;
    },
  };

  function step(): void {
    timer = null;
    if (unanswered.size === 0) {
      silentSteps = 0;
      return;
    }
    silentSteps += 1;
    if (silentSteps >= silentStepsMax) onSilent();
    else timer = clock.after(stepMs, step);
  }
}
