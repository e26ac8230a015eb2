import type { ReactNode } from "react";
import { count } from "../data/words.ts";
import { Button } from "./button.tsx";
import type { SteadyRows } from "./steady-rows.ts";

type Waiting = Pick<SteadyRows<unknown>, "waiting" | "show" | "hold">;

/** Shows the rows that wait. It floats above the first rows, so that it moves none. */
export function ShowNew({ of: { waiting, show } }: { readonly of: Waiting }): ReactNode {
  if (waiting === 0) return null;
  return (
    <div className="sticky top-0 z-10 flex h-0 justify-center max-md:top-14 max-sm:justify-end">
      <Button onClick={show}>Show {waiting} new</Button>
    </div>
  );
}

export interface WaitingRowsProps {
  readonly of: Waiting;
  /** One of the rows, in words. */
  readonly what: string;
}

/** Shows the rows that wait where a list begins with them. It takes no place of its own, also between parts of a page. */
export function WaitingRows({ of, what }: WaitingRowsProps): ReactNode {
  const { waiting, show, hold } = of;
  return (
    <div {...hold} className={waiting === 0 ? "hidden" : "z-10 -mb-4 flex h-0 justify-center max-sm:justify-end"}>
      {waiting > 0 && <Button onClick={show}>Show {count(waiting, what)}</Button>}
    </div>
  );
}
