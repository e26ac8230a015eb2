import { fieldError, isConnectionError, isForbiddenCode } from "../data/errors.ts";
import type { ReactNode } from "react";
import { type Change, isOnItsWay } from "../data/change.ts";
import type { Read } from "../data/read.ts";
import { describeError } from "../data/errors.ts";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { CopyText } from "./copy-text.tsx";
import { useKeepOpen } from "./dialog.tsx";
import { Time } from "./time.tsx";

/** Stands in place of an empty list: it explains what to create, with one button and one command. */
export function FirstUse({
  title,
  children,
  act,
  command,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly act?: ReactNode;
  readonly command?: string;
}): ReactNode {
  return (
    <div className="flex max-w-xl flex-col items-start gap-3 rounded-sm border p-4">
      <h2>{title}</h2>
      <p className="text-muted">{children}</p>
      {act}
      {command !== undefined && (
        <div className="w-full">
          <p className="pb-1 text-small text-muted">Or in a terminal:</p>
          <CopyText text={command} />
        </div>
      )}
    </div>
  );
}

/** Shapes in the place of rows that are being read. */
export function SkeletonRows({ rows = 8 }: { readonly rows?: number }): ReactNode {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-8 items-center gap-4 border-b">
          <div className="skeleton h-3" style={{ width: `${30 + ((index * 17) % 30)}%` }} />
          <div className="skeleton h-3 w-16" />
          <div className="skeleton ml-auto h-3 w-20" />
        </div>
      ))}
    </div>
  );
}

/** Says what happened and what to do. */
export function Problem({
  error,
  again,
  of = "read",
}: {
  readonly error: unknown;
  readonly again?: () => void;
  /** Whether something was read or changed. */
  readonly of?: "read" | "change";
}): ReactNode {
  const { title, text, requestId } = describeError(error, of);
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-sm border border-failure p-3">
      <p className="font-medium text-failure">{title}</p>
      <p className="break-words">{text}</p>
      {requestId !== null && !text.includes(requestId) && (
        <p className="text-small text-muted">
          Request <code>{requestId}</code>. The daemon's log and audit trail name it too.
        </p>
      )}
      {again !== undefined && <Button onClick={again}>Try again</Button>}
    </div>
  );
}

/** Explains that the caller's capability does not allow a page or an action. */
export function NotAllowed({ needs, what }: { readonly needs: string; readonly what: string }): ReactNode {
  return (
    <div className="flex max-w-xl flex-col gap-2 rounded-sm border p-4">
      <h2>Not allowed</h2>
      <p className="text-muted">
        {what} needs the capability <code>{needs}</code>. Ask somebody who may enrol clients for a grant that has it.
      </p>
    </div>
  );
}

/** Says that a daemon on another machine allows something only there, and with which command. */
export function OnlyThere({ does, command }: { readonly does: string; readonly command: string }): ReactNode {
  return (
    <div className="flex max-w-xl flex-col gap-3">
      <p>This daemon runs on another machine, and {does} only there. Run this command on it:</p>
      <CopyText text={command} />
    </div>
  );
}

/** Data that could not be read again, above what was known before. */
export function Stale({ read }: { readonly read: Pick<Read<unknown>, "error" | "readAt" | "again"> }): ReactNode {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-sm border border-attention px-3 py-1 text-attention"
    >
      <span>
        This is from <Time at={read.readAt} />. {describeError(read.error).text}
      </span>
      <Button look="quiet" onClick={read.again}>
        Try again
      </Button>
    </div>
  );
}

/** Shows data, or whichever state it is in instead. */
export function Shown<T>({
  read,
  skeleton,
  needs,
  what = "This page",
  children,
}: {
  readonly read: Read<T>;
  readonly skeleton?: ReactNode;
  readonly needs?: string;
  readonly what?: string;
  readonly children: (data: T) => ReactNode;
}): ReactNode {
  const { data, error } = read;
  if (data === null && error === null) return skeleton ?? <SkeletonRows />;
  if (data === null) {
    if (isForbiddenCode(error)) return <NotAllowed needs={needs ?? "observe"} what={what} />;
    return <Problem error={error} again={read.again} />;
  }
  return (
    <>
      {error !== null && !isConnectionError(error) && <Stale read={read} />}
      {children(data)}
    </>
  );
}

/**
 * Shows that a change failed or that its result is unknown, and nothing otherwise. While an answer is awaited, the dialog
 * around it stays, because nothing else would show the result.
 */
export function ChangeProblem<A extends readonly unknown[]>({
  change,
  fields = [],
}: {
  readonly change: Change<A>;
  /** Members whose errors stand beside their inputs. */ readonly fields?: readonly string[];
}): ReactNode {
  const { state } = change;
  useKeepOpen(isOnItsWay(change));
  if (state.is === "failed") {
    const { error } = state;
    if (fields.some((field) => fieldError(error, field) !== null)) return null;
    return <Problem error={error} of="change" />;
  }
  if (state.is !== "uncertain") return null;
  const isSettled = state.found === "committed" || state.found === "not_committed";
  return (
    <div
      role="alert"
      className={classNames(
        "flex flex-col items-start gap-2 rounded-sm border p-3",
        state.found === "committed" ? "border-success" : "border-attention",
      )}
    >
      <p className={classNames("font-medium", state.found === "committed" ? "text-success" : "text-attention")}>
        {uncertainTitles[state.found ?? "null"]}
      </p>
      <p>{uncertainTexts[state.found ?? "null"]}</p>
      <div className="flex gap-2">
        {!isSettled && (
          <Button isBusy={state.found === "looking"} onClick={change.lookAgain}>
            Look again
          </Button>
        )}
        <Button look={isSettled ? "plain" : "quiet"} disabled={state.found === "looking"} onClick={change.reset}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}

const unknown = "The result is unknown";
const uncertainTitles = {
  null: unknown,
  looking: unknown,
  unknown,
  committed: "It was done",
  not_committed: "It was not done",
} as const;
const lost =
  "The change was sent, but no answer came back, so it may have been carried out. It is not sent again by itself. Look at the current state before you repeat it.";
const uncertainTexts = {
  null: lost,
  looking: lost,
  unknown:
    "The daemon does not know whether it carried out the change. Look at the current state before you repeat it.",
  committed: "The daemon carried out the change. Only its answer was lost.",
  not_committed: "The daemon did not carry out the change. You can repeat it.",
} as const;
