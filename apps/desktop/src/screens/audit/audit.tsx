import type { AuditEvent } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { Facts, Page } from "../../components/page.tsx";
import { NotAllowed, Shown } from "../../components/states.tsx";
import { Status, type StatusKind } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { FullTime, Time } from "../../components/time.tsx";
import { useGrant } from "../../data/grant.ts";
import { useLate } from "../../data/late.ts";
import { useRead, useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { Proof } from "./proof.tsx";

const route = getRouteApi("/audit");
type Result = AuditEvent["result"];
const results: Readonly<Record<Result, readonly [StatusKind, string]>> = {
  allowed: ["success", "Allowed"],
  denied: ["cancelled", "Denied"],
  failed: ["failure", "Failed"],
};

/** Who did what, and when. */
export function Audit(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/audit" });
  const { may, capability, read: grant } = useGrant();
  const [operation, setOperation] = useState(search.operation ?? "");
  const asked = useLate(operation.trim(), 300);
  const result = search.outcome !== undefined && search.outcome in results ? (search.outcome as Result) : undefined;
  const question = {
    ...(search.actor === undefined ? {} : { actor_id: search.actor }),
    ...(asked === "" ? {} : { operation: asked }),
    ...(result === undefined ? {} : { result }),
  };
  const isAllowed = may("enroll");
  const read = useReadPages(
    ["audit", question],
    async (cursor, signal) => {
      const page = await client.audit.list({ ...question, limit: 100, cursor }, { signal });
      return { items: page.audit_events, next: page.next_cursor };
    },
    {
      kinds: [
        "task",
        "group",
        "schedule",
        "trigger",
        "actor",
        "notification_channel",
        "manifest",
        "hold",
        "chain",
        "filesystem_watcher",
      ],
      isWanted: isAllowed,
    },
  );
  const actors = useRead(["actors", "names"], (signal) => client.actors.list({ limit: 500 }, { signal }), {
    kinds: ["actor"],
    isWanted: isAllowed,
  });
  const [open, setOpen] = useState<AuditEvent | null>(null);
  const set = (name: "actor" | "outcome", value: string): void =>
    void navigate({
      search: (former) => {
        const { [name]: _, ...rest } = former;
        return value === "" ? rest : { ...rest, [name]: value };
      },
    });
  if (capability !== null && !isAllowed)
    return (
      <Page title="Audit">
        <NotAllowed needs="enroll" what="Reading the audit trail" />
      </Page>
    );
  return (
    <Page
      title="Audit"
      filters={
        <>
          <SelectField
            label="Actor"
            isLabelHidden
            value={search.actor ?? ""}
            onChange={(event) => set("actor", event.target.value)}
          >
            <option value="">Everybody</option>
            {actors.data?.actors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Result"
            isLabelHidden
            value={result ?? ""}
            onChange={(event) => set("outcome", event.target.value)}
          >
            <option value="">Any result</option>
            {Object.entries(results).map(([name, [, word]]) => (
              <option key={name} value={name}>
                {word}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Operation"
            isLabelHidden
            type="search"
            placeholder="Operation, such as tasks.create"
            className="sm:w-64"
            value={operation}
            onChange={(event) => setOperation(event.target.value)}
          />
        </>
      }
    >
      {isAllowed && <Proof />}
      <Shown read={isAllowed ? read : { ...read, error: grant.error, again: grant.again }} needs="enroll">
        {(events) =>
          events.length === 0 ? (
            <p className="text-muted">No event matches these filters.</p>
          ) : (
            <Table
              label="Audit events"
              isSteady
              columns={columns}
              rows={events}
              idOf={({ id }) => id}
              more={read}
              onOpen={setOpen}
            />
          )
        }
      </Shown>
      <Dialog title="Audit event" isOpen={open !== null} onClose={() => setOpen(null)}>
        {open !== null && (
          <Facts
            facts={[
              { name: "Time", value: <FullTime at={open.at} /> },
              {
                name: "Actor",
                value: `${open.actor_name}, ${open.transport === "local" ? "on the daemon's machine" : "from another machine"}`,
              },
              { name: "Operation", value: <code>{open.operation}</code> },
              {
                name: "Result",
                value:
                  open.error_code === null ? results[open.result][1] : `${results[open.result][1]}: ${open.error_code}`,
              },
              open.resource_id === null ? null : { name: "Resource", value: <code>{open.resource_id}</code> },
              open.changed_fields.length === 0 ? null : { name: "Changed", value: open.changed_fields.join(", ") },
              { name: "Request", value: <code>{open.request_id}</code> },
              { name: "Hash", value: <code className="break-all">{open.hash}</code> },
            ]}
          />
        )}
        <div className="flex justify-end">
          <Button onClick={() => setOpen(null)}>Close</Button>
        </div>
      </Dialog>
    </Page>
  );
}

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
