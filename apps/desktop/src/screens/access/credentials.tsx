import type { Actor, Credential } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { Shown } from "../../components/states.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { ActorStatus } from "./actor-status.tsx";

/** The credentials of an actor, each of one client. */
export function Credentials({ actor }: { readonly actor: Actor }): ReactNode {
  const { client } = useSession();
  const read = useRead(
    ["credentials", actor.id],
    (signal) => client.credentials.list(actor.id, { limit: 200 }, { signal }),
    { kinds: ["actor"] },
  );
  const [asked, setAsked] = useState<Credential | null>(null);
  const revoke = useChange(
    ({ id }: Credential) => client.credentials.revoke(id),
    () => setAsked(null),
  );
  const steady = useSteadyRows(read.data?.credentials ?? null, { idOf, question: actor.id });
  return (
    <Section title="Credentials">
      <Shown read={read} needs="enroll">
        {() => (
          <Rows
            steady={steady}
            idOf={idOf}
            empty={
              <p className="text-muted">
                No client has enrolled as this actor{actor.state === "revoked" ? "." : " yet."}
              </p>
            }
            rowClassName="flex min-h-8 flex-wrap items-center gap-x-4 border-b"
          >
            {(credential, isGone) => (
              <>
                <span className="font-medium">{credential.display_name}</span>
                <ActorStatus state={credential.state} />
                <span className="text-muted">
                  {credential.kind}, last used <Time at={credential.last_used_at} empty="never" />
                </span>
                {credential.state === "active" && !isGone && (
                  <Button look="quiet" className="ml-auto text-failure" onClick={() => setAsked(credential)}>
                    Revoke
                  </Button>
                )}
              </>
            )}
          </Rows>
        )}
      </Shown>
      <ConfirmChange
        title="Revoke the credential?"
        act="Revoke"
        subject={asked}
        change={revoke}
        onClose={() => setAsked(null)}
      >
        {({ display_name }) => (
          <p>
            {display_name} loses its access immediately. This cannot be undone; the client can enrol again with a new
            pairing.
          </p>
        )}
      </ConfirmChange>
    </Section>
  );
}

const idOf = ({ id }: Credential): string => id;
