import type { ReactNode } from "react";
import { type Change, isOnItsWay } from "../data/change.ts";
import { Button } from "./button.tsx";
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
  readonly children: ReactNode;
}

/** Fields, what went wrong with them, and the button that sends them. */
export function ChangeForm({ change, act, isComplete, fields, onCancel, children }: ChangeFormProps): ReactNode {
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        change.run();
      }}
    >
      {children}
      <ChangeProblem change={change} fields={fields} />
      {/* where a dialog is lower than the form, the buttons stay in view */}
      <div className="flex flex-wrap justify-end gap-2 in-[[role=dialog]]:sticky in-[[role=dialog]]:-bottom-4 in-[[role=dialog]]:-mt-3 in-[[role=dialog]]:-mb-4 in-[[role=dialog]]:bg-raised in-[[role=dialog]]:pt-3 in-[[role=dialog]]:pb-4">
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
