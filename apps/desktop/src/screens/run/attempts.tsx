import type { Run } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "../../components/class-names.ts";
import { Section } from "../../components/page.tsx";
import { lastAttempt } from "./run-words.ts";

/** The attempts of a run, where there is more than one. */
export function Attempts({ run, shown }: { readonly run: Run; readonly shown: number | null }): ReactNode {
  const begun = lastAttempt(run) ?? 0;
  if (begun < 2) return null;
  return (
    <Section title={`Attempts (${begun} of ${Math.max(begun, run.attempts_max)})`}>
      <ul className="flex flex-wrap gap-1">
        {Array.from({ length: begun }, (_, index) => index + 1).map((attempt) => (
          <li key={attempt}>
            <Link
              to="/runs/$runId"
              params={{ runId: run.id }}
              search={{ attempt: String(attempt) }}
              aria-current={attempt === shown || undefined}
              className={classNames(
                "flex h-8 items-center rounded-sm px-3 hover:bg-hover",
                attempt === shown && "bg-hover font-medium",
              )}
            >
              Attempt {attempt}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
