import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** What a row can be, whatever it is a row of: a run, a delivery, a watcher, an actor, a task. */
export type StatusKind =
  | "success"
  | "failure"
  | "running"
  | "queued"
  | "cancelled"
  | "skipped"
  | "attention"
  | "ready"
  | "off";

const colours: Readonly<Record<StatusKind, string>> = {
  success: "text-success",
  failure: "text-failure",
  running: "text-running",
  queued: "text-waiting",
  cancelled: "text-waiting",
  skipped: "text-waiting",
  attention: "text-attention",
  ready: "text-muted",
  off: "text-muted",
};

/** The shape that says the same as the colour. */
export function StatusShape({ kind }: { readonly kind: StatusKind }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 12 12"
      width="12"
      height="12"
      className={classNames("shrink-0 self-center", colours[kind])}
    >
      {shapes[kind]}
    </svg>
  );
}

const line = { stroke: "currentColor", strokeWidth: 2, fill: "none", strokeLinecap: "round" } as const;
const shapes: Readonly<Record<StatusKind, ReactNode>> = {
  success: <rect x="1" y="3" width="10" height="6" rx="1" fill="currentColor" />,
  failure: <path d="M2 2l8 8M10 2l-8 8" {...line} />,
  running: (
    <>
      <rect x="1" y="3" width="10" height="6" rx="1" fill="currentColor" opacity="0.25" />
      <rect
        x="1"
        y="3"
        width="10"
        height="6"
        rx="1"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="3 3"
        fill="none"
        className="moving"
      />
    </>
  ),
  queued: <path d="M1 9L5 3M4.5 9l4-6M8 9l3-4.5" stroke="currentColor" strokeWidth="1.5" fill="none" />,
  cancelled: <rect x="1.5" y="3.5" width="9" height="5" rx="1" stroke="currentColor" fill="none" />,
  skipped: <circle cx="6" cy="6" r="2" fill="currentColor" />,
  attention: (
    <path d="M6 1.5L11 10.5H1z M6 5v2.5" stroke="currentColor" strokeWidth="1.4" fill="none" strokeLinejoin="round" />
  ),
  ready: <circle cx="6" cy="6" r="3.5" stroke="currentColor" strokeWidth="1.5" fill="none" />,
  off: <path d="M2 6h8" {...line} />,
};

export interface StatusProps {
  readonly kind: StatusKind;
  readonly children: ReactNode;
  /** The whole sentence, for those who ask. */
  readonly title?: string | undefined;
  /** The words may take several lines. */
  readonly wraps?: boolean;
}

/** A state in a shape and words. */
export function Status({ kind, children, title, wraps = false }: StatusProps): ReactNode {
  return (
    <span
      title={title}
      className={classNames("inline-flex items-baseline gap-1.5", !wraps && "whitespace-nowrap", colours[kind])}
    >
      <StatusShape kind={kind} />
      {wraps ? <span className="min-w-0">{children}</span> : children}
    </span>
  );
}
