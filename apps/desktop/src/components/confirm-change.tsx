import type { ReactNode } from "react";
import type { Change } from "../data/change.ts";
import { Confirm, type ConfirmProps } from "./dialog.tsx";
import { ChangeProblem } from "./states.tsx";

export interface ConfirmChangeProps<T> extends Pick<
  ConfirmProps,
  "title" | "act" | "leave" | "nameToType" | "isDanger" | "isPossible"
> {
  /** What the change is about. Null while nothing is asked. */
  readonly subject: T | null;
  readonly change: Change<readonly [T]>;
  readonly onClose: () => void;
  /** What will happen, and what goes with it, by name and number. */
  readonly children: (subject: T) => ReactNode;
}

/** Asks before a change, sends it, and stays open with what went wrong. */
export function ConfirmChange<T>({
  subject,
  change,
  onClose,
  children,
  isDanger = true,
  ...confirm
}: ConfirmChangeProps<T>): ReactNode {
  const isOver = change.mayBeDone;
  const close = (): void => {
    change.reset();
    onClose();
  };
  return (
    <Confirm
      {...confirm}
      isDanger={isDanger}
      isOpen={subject !== null}
      onClose={close}
      isBusy={change.isPending}
      isOver={isOver}
      problem={<ChangeProblem change={isOver ? { ...change, reset: close } : change} />}
      onConfirm={() => subject !== null && change.run(subject)}
    >
      {subject !== null && children(subject)}
    </Confirm>
  );
}
