import type { ReactNode } from "react";
import { count } from "../data/words.ts";

export interface OutcomeBar {
  readonly id: string;
  readonly outcome: "success" | "failure";
}

/** The newest outcomes of a task, the newest at the right. A failure is lower, crossed, and of another colour. */
export function OutcomeBars({ outcomes }: { readonly outcomes: readonly OutcomeBar[] }): ReactNode {
  if (outcomes.length === 0) return <span className="text-muted">–</span>;
  const failures = outcomes.filter(({ outcome }) => outcome === "failure").length;
  const label = `${count(outcomes.length, "run")}: ${failures === 0 ? "no failure" : count(failures, "failure")}`;
  return (
    <svg role="img" aria-label={label} width={outcomes.length * 5} height="16" className="block shrink-0">
      <title>{label}</title>
      {outcomes
        .toReversed()
        .map(({ id, outcome }, index) =>
          outcome === "success" ? (
            <rect key={id} x={index * 5} y="2" width="3" height="12" className="fill-success" />
          ) : (
            <path
              key={id}
              d={`M${index * 5} 5l3 6M${index * 5 + 3} 5l-3 6`}
              className="stroke-failure"
              strokeWidth="1.5"
            />
          ),
        )}
    </svg>
  );
}
