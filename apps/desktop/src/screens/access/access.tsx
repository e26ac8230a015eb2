import type { Actor } from "@belfry/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { Page, Section } from "../../components/page.tsx";
import { NotAllowed, Shown } from "../../components/states.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useGrant } from "../../data/grant.ts";
import { useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { ActorStatus } from "./actor-status.tsx";
import { Pairings } from "./pairings.tsx";
import { PairingForm } from "./pairing-form.tsx";

/** Who may do what from other machines. */
export function Access(): ReactNode {
  const { may, capability, read: grant } = useGrant();
  const [isPairing, setIsPairing] = useState(false);
  useKeys([may("enroll") ? { text: "Pair a client", act: () => setIsPairing(true) } : null]);
  if (capability !== null && !may("enroll"))
    return (
      <Page title="Access">
        <NotAllowed needs="enroll" what="Managing access" />
      </Page>
    );
  return (
    <Page
      title="Access"
      act={
        may("enroll") && (
          <Button look="primary" onClick={() => setIsPairing(true)}>
            Pair a client
          </Button>
        )
      }
    >
      {isPairing && <PairingForm onClose={() => setIsPairing(false)} />}
      <Shown read={grant}>
        {() => (
          <>
            <Pairings />
            <Actors />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Actors(): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  const read = useReadPages(
    ["actors"],
    async (cursor, signal) => {
      const page = await client.actors.list({ limit: 100, cursor }, { signal });
      return { items: page.actors, next: page.next_cursor };
    },
    { kinds: ["actor"] },
  );
  return (
    <Section title="Actors">
      <Shown read={read}>
        {(actors) => (
          <Table
            label="Actors"
            columns={columns}
            rows={actors}
            idOf={({ id }) => id}
            more={read}
            onOpen={({ id }) => void navigate({ to: "/access/$actorId", params: { actorId: id } })}
          />
        )}
      </Shown>
    </Section>
  );
}

const columns: readonly Column<Actor>[] = [
  {
    name: "Actor",
    width: "1.4fr",
    cell: ({ id, name }) => (
      <Link to="/access/$actorId" params={{ actorId: id }} tabIndex={-1}>
        {name}
      </Link>
    ),
  },
  { name: "State", width: "104px", cell: ({ state }) => <ActorStatus state={state} /> },
  { name: "Capability", width: "104px", cell: ({ capability }) => capability },
  {
    name: "Kind",
    width: "1fr",
    isWide: true,
    cell: ({ kind, built_in }) =>
      built_in ? "this machine's own user" : kind === "local" ? "on this machine" : "on another machine",
  },
  {
    name: "Expires",
    width: "88px",
    isNumber: true,
    isWide: true,
    cell: ({ expires_at }) => <Time at={expires_at} empty="never" />,
  },
  {
    name: "Last seen",
    width: "88px",
    isNumber: true,
    cell: ({ last_seen_at }) => <Time at={last_seen_at} empty="never" />,
  },
];
