import type { ReactNode } from "react";
import { Button } from "./button.tsx";

export interface ChangedMeanwhileProps {
  /** What it is: a task, for example. */
  readonly what: string;
  /** What somebody else changed, in a line each. Null until it has been read. */
  readonly lines: readonly string[] | null;
  readonly onGoOn: () => void;
}

/** Says what somebody else changed while a form was open, and puts the person's own changes on top of it. */
export function ChangedMeanwhile({ what, lines, onGoOn }: ChangedMeanwhileProps): ReactNode {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-sm border border-attention p-3">
      <p className="font-medium text-attention">Somebody changed this {what} meanwhile</p>
      {lines === null ? <p>Reading what changed …</p> : <ChangeLines lines={lines} />}
      <p>Your own changes stay in the form, and are put on top of these.</p>
      <Button onClick={onGoOn} disabled={lines === null}>
        Go on with the newest state
      </Button>
    </div>
  );
}

/** Changes, in a line each. */
export function ChangeLines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <ul className="list-inside list-disc">
      {lines.map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  );
}
