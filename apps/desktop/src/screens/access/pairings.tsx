import type { Pairing } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";

/** The pairings that a client can still use. */
export function Pairings(): ReactNode {
  const { client } = useSession();
  const { data } = useRead(["pairings"], (signal) => client.pairings.list({ limit: 100 }, { signal }), {
    kinds: ["actor"],
    everyMs: 10_000,
  });
  const [asked, setAsked] = useState<Pairing | null>(null);
  const remove = useChange(
    ({ id }: Pairing) => client.pairings.delete(id),
    () => setAsked(null),
  );
  const open = data?.pairings.filter(({ state }) => state === "open") ?? [];
  if (open.length === 0) return null;
  return (
    <Section title="Open pairings">
      <ul>
        {open.map((pairing) => (
          <li key={pairing.id} className="flex min-h-8 flex-wrap items-center gap-x-4 border-b">
            <span className="font-medium">{pairing.name}</span>
            <span>{pairing.capability}</span>
            <span className="text-muted">
              {count(pairing.tries_left, "try", "tries")} left, ends <Time at={pairing.expires_at} />
            </span>
            <Button look="quiet" className="ml-auto" onClick={() => setAsked(pairing)}>
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmChange
        title="Withdraw the pairing?"
        act="Withdraw"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {({ name }) => <p>{name} can no longer use it. A client that has used it already keeps its access.</p>}
      </ConfirmChange>
    </Section>
  );
}
