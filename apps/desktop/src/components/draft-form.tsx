import type { ReactNode } from "react";
import type { Draft } from "../data/draft.ts";
import { isOutdatedCode } from "../data/errors.ts";
import { ChangeForm, type ChangeFormProps } from "./change-form.tsx";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";

export interface DraftFormProps<R, F> extends Omit<ChangeFormProps, "act"> {
  readonly draft: Draft<R, F>;
  /** What it is: a watcher, for example. */
  readonly what: string;
  /** What the form shows of a stored state, by its labels. */
  readonly describe: (stored: R) => Readonly<Record<string, string>>;
}

/** The form of something new, or of a change. A change is not sent over one that somebody else made meanwhile. */
export function DraftForm<R extends { readonly revision: number }, F extends object>({
  draft,
  what,
  describe,
  change,
  isComplete,
  onCancel,
  children,
  ...form
}: DraftFormProps<R, F>): ReactNode {
  const { base, newest, changed, rebase } = draft;
  const { state } = change;
  const isRefused = state.is === "failed" && isOutdatedCode(state.error);
  const isNewer = newest?.revision !== base?.revision;
  // a change on its way, or one whose answer was lost, may itself have made the newest state
  const isOutdated = isRefused || (isNewer && (state.is === "idle" || state.is === "failed"));
  return (
    <ChangeForm
      {...form}
      act={base === null ? `Create the ${what}` : "Save"}
      change={isRefused && base !== null ? { ...change, state: { is: "idle" } } : change}
      isComplete={isComplete && !isOutdated && Object.keys(changed).length > 0}
      onCancel={onCancel}
    >
      {/* it explains an outdated change, in place of the error */}
      {isOutdated && base !== null && newest !== null && (
        <ChangedMeanwhile
          what={what}
          lines={isNewer ? changesBetween(describe(base), describe(newest)) : null}
          onGoOn={() => {
            rebase();
            change.reset();
          }}
        />
      )}
      {children}
    </ChangeForm>
  );
}

type Described = Readonly<Record<string, string>>;

function changesBetween(before: Described, after: Described): readonly string[] {
  const lines = Object.keys({ ...before, ...after })
    .filter((label) => before[label] !== after[label])
    .map((label) => `${label}: ${before[label] ?? "nothing"} becomes ${after[label] ?? "nothing"}`);
  return lines.length > 0 ? lines : ["something that this form does not show"];
}
