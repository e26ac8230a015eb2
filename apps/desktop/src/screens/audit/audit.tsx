import type { AuditEvent } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { withMember } from "../../app/search.ts";
import { List } from "../../components/list.tsx";
import { Page } from "../../components/page.tsx";
import { NotAllowed } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { endOfDay, startOfDay } from "../../data/dates.ts";
import { useGrant } from "../../data/grant.ts";
import { useZone } from "../../data/preferences.ts";
import { useRead, useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { EventDialog } from "./audit-event.tsx";
import { type AuditSearch, Filters } from "./filters.tsx";
import { Proof } from "./proof.tsx";
import { resultIn, results } from "./results.ts";

const route = getRouteApi("/audit");
/** Who did what, and when. */
export function Audit(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/audit" });
  const { may, capability, read: grant } = useGrant();
  const zone = useZone();
  const result = resultIn(search.outcome);
  const since = search.from === undefined ? null : startOfDay(search.from, zone);
  const until = search.until === undefined ? null : endOfDay(search.until, zone);
  const question = {
    ...(search.actor === undefined ? {} : { actor_id: search.actor }),
    ...(search.operation === undefined ? {} : { operation: search.operation }),
    ...(result === undefined ? {} : { result }),
    ...(since === null ? {} : { since: new Date(since).toISOString() }),
    ...(until === null ? {} : { until: new Date(until).toISOString() }),
  };
  const isAllowed = may("enroll");
  const read = useReadPages(
    ["audit", question],
    async (cursor, signal) => {
      const page = await client.audit.list({ ...question, limit: 100, cursor }, { signal });
      return { items: page.audit_events, next: page.next_cursor };
    },
    { kinds: "all", isWanted: isAllowed },
  );
  const actors = useRead(["actors", "names"], (signal) => client.actors.list({ limit: 500 }, { signal }), {
    kinds: ["actor"],
    isWanted: isAllowed,
  });
  const set = (name: keyof AuditSearch, value: string | undefined, isTyped = false): void =>
    void navigate({ search: (former) => withMember(former, name, value), replace: isTyped });
  const show = (event: AuditEvent | null): void =>
    void navigate({
      search: (former) => withMember(withMember(former, "event", event?.id), "at", event?.at),
      resetScroll: false,
    });
  if (capability !== null && !isAllowed)
    return (
      <Page title="Audit">
        <NotAllowed needs="enroll" what="Reading the audit trail" />
      </Page>
    );
  return (
    <Page title="Audit" filters={<Filters search={search} actors={actors.data?.actors ?? []} onChange={set} />}>
      {isAllowed && <Proof />}
      <List
        label="Audit records"
        columns={columns}
        read={isAllowed ? read : { ...read, error: grant.error, again: grant.again }}
        needs="enroll"
        filtered="No record matches these filters."
        empty={null}
        idOf={idOf}
        onOpen={show}
      />
      <EventDialog id={isAllowed ? search.event : undefined} at={search.at} onClose={() => show(null)} />
    </Page>
  );
}

const idOf = ({ id }: AuditEvent): string => id;

const columns: readonly Column<AuditEvent>[] = [
  { name: "Operation", width: "1.2fr", cell: ({ operation }) => <code>{operation}</code> },
  {
    name: "Result",
    width: "96px",
    cell: ({ result, error_code }) => {
      const [kind, word] = results[result] ?? ["attention", result];
      return (
        <Status kind={kind} title={error_code ?? undefined}>
          {word}
        </Status>
      );
    },
  },
  { name: "Actor", width: "1fr", cell: ({ actor_name }) => actor_name },
  {
    name: "Resource",
    width: "1fr",
    isWide: true,
    cell: ({ resource_type, resource_id }) => (resource_id === null ? resource_type : <code>{resource_id}</code>),
  },
  { name: "Changed", width: "1fr", isWide: true, cell: ({ changed_fields }) => changed_fields.join(", ") || "–" },
  { name: "When", width: "88px", isNumber: true, cell: ({ at }) => <Time at={at} /> },
];
