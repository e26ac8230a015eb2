import type { AuditEvent } from "@belfry/client";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Facts } from "../../components/page.tsx";
import { Shown } from "../../components/states.tsx";
import { FullTime } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { results } from "./results.ts";

export interface EventDialogProps {
  /** The event of the address, with its time, by which it is found. */
  readonly id: string | undefined;
  readonly at: string | undefined;
  readonly onClose: () => void;
}

/** One event of the trail. */
export function EventDialog({ id, at, onClose }: EventDialogProps): ReactNode {
  const { client } = useSession();
  const isOpen = id !== undefined && at !== undefined && !Number.isNaN(Date.parse(at));
  const read = useRead(
    ["audit", "event", id, at],
    async (signal) => {
      const until = new Date(Date.parse(at!) + 1).toISOString();
      for await (const event of client.audit.list({ since: at!, until, limit: 500 }, { signal }))
        if (event.id === id) return event;
      return "gone" as const;
    },
    { kinds: [], isWanted: isOpen },
  );
  return (
    <Dialog title="Audit record" isOpen={isOpen} onClose={onClose}>
      <Shown read={read} needs="enroll">
        {(event) =>
          event === "gone" ? (
            <p>The trail has no such record. The daemon deletes records that are too old.</p>
          ) : (
            <EventFacts event={event} />
          )
        }
      </Shown>
      <div className="flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function EventFacts({ event }: { readonly event: AuditEvent }): ReactNode {
  const { at, actor_name, transport, operation, result, error_code, resource_id, changed_fields } = event;
  const place = transport === "local" ? "on the daemon's machine" : "from another machine";
  const [, word] = results[result];
  return (
    <Facts
      facts={[
        { name: "Time", value: <FullTime at={at} /> },
        { name: "Actor", value: `${actor_name}, ${place}` },
        { name: "Operation", value: <code>{operation}</code> },
        { name: "Result", value: error_code === null ? word : `${word}: ${error_code}` },
        resource_id === null ? null : { name: "Resource", value: <code>{resource_id}</code> },
        changed_fields.length === 0 ? null : { name: "Changed", value: changed_fields.join(", ") },
        { name: "Request", value: <code>{event.request_id}</code> },
        { name: "Hash", value: <code className="break-all">{event.hash}</code> },
      ]}
    />
  );
}
