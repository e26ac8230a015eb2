import type { ReactNode } from "react";
import { Problem } from "../components/states.tsx";

/** A page that broke. The others go on. */
export function Crash({ error, reset }: { readonly error: unknown; readonly reset: () => void }): ReactNode {
  return (
    <div className="p-4 md:px-6">
      <h1 className="pb-3">This page has a problem</h1>
      <Problem error={error} again={reset} />
    </div>
  );
}

export function NoSuchPage(): ReactNode {
  return (
    <div className="p-4 md:px-6">
      <h1>There is no such page</h1>
      <p className="text-muted">The address may be of another version. Choose a screen on the left.</p>
    </div>
  );
}
