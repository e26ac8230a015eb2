import type { Pairing } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { ListState } from "../../components/list-state.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { WaitingRows } from "../../components/show-new.tsx";
import { Stale } from "../../components/states.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { isConnectionError } from "../../data/errors.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";

/** The pairings that a client can still use. Without one, there is no section. */
export function Pairings(): ReactNode {
  const { client } = useSession();
  const read = useRead(["pairings"], (signal) => client.pairings.list({ limit: 100 }, { signal }), {
    kinds: ["actor"],
    everyMs: 10_000,
  });
  const { data, error } = read;
  const [asked, setAsked] = useState<Pairing | null>(null);
  const remove = useChange(
    ({ id }: Pairing) => client.pairings.delete(id),
    () => setAsked(null),
  );
  const open = data?.pairings.filter(({ state }) => state === "open") ?? null;
  const steady = useSteadyRows(open, { idOf, question: "pairings" });
  // the line above the page says that the daemon does not answer
  const isUnknown = error !== null && (data === null || !isConnectionError(error));
  return (
    <>
      {steady.rows.length === 0 && !isUnknown ? (
        <WaitingRows of={steady} what="open pairing" />
      ) : (
        <Section title="Open pairings">
          {data !== null && isUnknown && <Stale read={read} />}
          <Rows
            steady={steady}
            idOf={idOf}
            empty={<ListState read={read} empty="No pairing is open." />}
            rowClassName="flex min-h-8 flex-wrap items-center gap-x-4 border-b"
          >
            {(pairing, isGone) => (
              <>
                <span className="font-medium">{pairing.name}</span>
                <span>{pairing.capability}</span>
                <span className="text-muted">
                  {isGone ? (
                    "no longer open"
                  ) : (
                    <>
                      {count(pairing.tries_left, "try", "tries")} left, ends <Time at={pairing.expires_at} />
                    </>
                  )}
                </span>
                {!isGone && (
                  <Button look="quiet" className="ml-auto" onClick={() => setAsked(pairing)}>
                    Withdraw
                  </Button>
                )}
              </>
            )}
          </Rows>
        </Section>
      )}
      {/* apart from the list: the result of the last pairing is still to be said when the list is empty */}
      <ConfirmChange
        title="Withdraw the pairing?"
        act="Withdraw"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {({ name }) => <p>{name} can no longer use it. A client that has used it already keeps its access.</p>}
      </ConfirmChange>
    </>
  );
}

const idOf = ({ id }: Pairing): string => id;
