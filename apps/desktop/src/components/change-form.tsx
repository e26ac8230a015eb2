import { type ReactNode, useState } from "react";
import { type Change, isKnownDone, isOnItsWay, madeIdOf } from "../data/change.ts";
import { Button } from "./button.tsx";
import { useAskToClose } from "./dialog.tsx";
import { ChangeProblem } from "./states.tsx";

export interface ChangeFormProps {
  readonly change: Change<readonly []>;
  /** The act, as its button says it. */
  readonly act: string;
  /** Everything that is needed has been filled in. */
  readonly isComplete: boolean;
  /** Members whose errors stand beside their inputs. */
  readonly fields: readonly string[];
  readonly onCancel: () => void;
  /** Leaves for what was created, where its answer was lost. Without this, or its id, the form is left by `onCancel`. */
  readonly onMade?: (id: string) => void;
  readonly children: ReactNode;
}

/**
 * Fields, what went wrong with them, and the button that sends them. Once it is known that the change was done, the form is
 * left: sent again, it would do the same twice.
 */
export function ChangeForm(props: ChangeFormProps): ReactNode {
  const { change, act, isComplete, fields, onCancel, onMade, children } = props;
  const [isTouched, setTouched] = useState(false);
  useAskToClose(isTouched && !isKnownDone(change));
  const leave = (): void => {
    const madeId = madeIdOf(change);
    if (madeId === null || onMade === undefined) onCancel();
    else onMade(madeId);
  };
  return (
    <form
      className="flex flex-col gap-3"
      onChange={() => setTouched(true)}
      onSubmit={(event) => {
        event.preventDefault();
        change.run();
      }}
    >
      {children}
      <ChangeProblem change={isKnownDone(change) ? { ...change, reset: leave } : change} fields={fields} />
      {/* where a dialog is lower than the form, the buttons stay in view */}
      <div className="flex flex-wrap justify-end gap-2 in-[[role=dialog]]:sticky in-[[role=dialog]]:-bottom-4 in-[[role=dialog]]:-mx-4 in-[[role=dialog]]:-mt-2 in-[[role=dialog]]:-mb-4 in-[[role=dialog]]:bg-raised in-[[role=dialog]]:px-4 in-[[role=dialog]]:pt-2 in-[[role=dialog]]:pb-4">
        <Button disabled={isOnItsWay(change)} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="primary" isBusy={change.isPending} disabled={!isComplete || change.mayBeDone}>
          {change.isPending ? "Sending …" : act}
        </Button>
      </div>
    </form>
  );
}
