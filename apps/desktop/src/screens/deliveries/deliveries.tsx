import type { NotificationDelivery } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { withMember } from "../../app/search.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SelectField } from "../../components/fields.tsx";
import { List } from "../../components/list.tsx";
import { Page } from "../../components/page.tsx";
import { ChangeProblem, FirstUse, Shown } from "../../components/states.tsx";
import { Status, type StatusKind } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead, useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";
import { DeliveryFacts, nameOfTask } from "./delivery-facts.tsx";

const route = getRouteApi("/deliveries");
type State = NotificationDelivery["state"];
const states: Readonly<Record<State, readonly [StatusKind, string]>> = {
  pending: ["queued", "Waiting"],
  claimed: ["running", "Sending"],
  succeeded: ["success", "Delivered"],
  failed: ["failure", "Failed"],
};
const dayMs = 86_400_000;

/** Every webhook that was sent, or will be. */
export function Deliveries(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/deliveries" });
  const { may } = useGrant();
  const state = search.state !== undefined && search.state in states ? (search.state as State) : undefined;
  const question = {
    ...(state === undefined ? {} : { state }),
    ...(search.channel === undefined ? {} : { channel_id: search.channel }),
    ...(search.task === undefined ? {} : { task_id: search.task }),
    ...(search.run === undefined ? {} : { run_id: search.run }),
  };
  const read = useReadPages(
    ["deliveries", question],
    async (cursor, signal) => {
      const page = await client.notificationDeliveries.list({ ...question, limit: 100, cursor }, { signal });
      return { items: page.notification_deliveries, next: page.next_cursor };
    },
    { kinds: ["notification_delivery"] },
  );
  const channels = useRead(
    ["channels", "names"],
    (signal) => client.notificationChannels.list({ limit: 500 }, { signal }),
    { kinds: ["notification_channel"] },
  );
  const isFiltered = Object.keys(question).length > 0;
  const isFirst = read.data?.length === 0 && !isFiltered;
  const open = useRead(
    ["delivery", search.delivery],
    (signal) => client.notificationDeliveries.get(search.delivery!, { signal }),
    { kinds: ["notification_delivery"], isWanted: search.delivery !== undefined },
  );
  const show = (id: string | null): void =>
    void navigate({
      search: (former) => withMember(former, "delivery", id ?? undefined),
      resetScroll: false,
    });
  const [isAsked, setIsAsked] = useState(false);
  const redeliver = useChange(
    ({ id }: NotificationDelivery) => client.notificationDeliveries.redeliver(id),
    () => show(null),
  );
  const all = useChange(
    ({ channel }: Pick<typeof search, "channel">) =>
      client.notificationDeliveries.redeliverFailed({
        since: new Date(Date.now() - dayMs).toISOString(),
        ...(channel === undefined ? {} : { channel_id: channel }),
      }),
    () => setIsAsked(false),
  );
  const set = (name: "state" | "channel", value: string): void =>
    void navigate({ search: (former) => withMember(former, name, value) });
  return (
    <Page
      title="Deliveries"
      act={may("operate") && !isFirst && <Button onClick={() => setIsAsked(true)}>Send failed ones again</Button>}
      filters={
        <>
          <SelectField
            label="State"
            isLabelHidden
            value={state ?? ""}
            onChange={(event) => set("state", event.target.value)}
          >
            <option value="">Any state</option>
            {Object.entries(states).map(([name, [, word]]) => (
              <option key={name} value={name}>
                {word}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Channel"
            isLabelHidden
            value={search.channel ?? ""}
            onChange={(event) => set("channel", event.target.value)}
          >
            <option value="">All channels</option>
            {channels.data?.notification_channels.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </>
      }
    >
      <List
        label="Deliveries"
        isSteady
        columns={columns}
        read={read}
        filtered={isFiltered ? "No delivery matches these filters." : null}
        empty={
          <FirstUse
            title="No deliveries yet"
            act={<Button onClick={() => void navigate({ to: "/channels" })}>Channels</Button>}
            command="belfry channel test CHANNEL"
          >
            When a run notifies a channel, its webhook appears here, with its attempts and the answer of its receiver.
          </FirstUse>
        }
        idOf={idOf}
        onOpen={({ id }) => show(id)}
      />
      <Dialog
        title={open.data === null ? "Delivery" : `Delivery to ${open.data.channel_name}`}
        isOpen={search.delivery !== undefined}
        onClose={() => show(null)}
      >
        <Shown read={open}>{(delivery) => <DeliveryFacts delivery={delivery} />}</Shown>
        <ChangeProblem change={redeliver} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => show(null)}>Close</Button>
          {may("operate") && open.data !== null && open.data.ended_at !== null && (
            <Button
              look="primary"
              isBusy={redeliver.isPending}
              disabled={redeliver.mayBeDone}
              onClick={() => redeliver.run(open.data!)}
            >
              Send again
            </Button>
          )}
        </div>
      </Dialog>
      <ConfirmChange
        title="Send failed deliveries again?"
        act="Send again"
        isDanger={false}
        subject={isAsked ? search : null}
        change={all}
        onClose={() => setIsAsked(false)}
      >
        {({ channel }) => (
          <p>
            Every delivery that failed in the last 24 hours{channel === undefined ? "" : " to this channel"} is sent
            once more, as a new delivery.
          </p>
        )}
      </ConfirmChange>
    </Page>
  );
}

const idOf = ({ id }: NotificationDelivery): string => id;

const columns: readonly Column<NotificationDelivery>[] = [
  { name: "Channel", width: "1fr", cell: ({ channel_name }) => channel_name },
  {
    name: "State",
    width: "112px",
    cell: ({ state, diagnostic }) => {
      const [kind, word] = states[state] ?? ["attention", state];
      return (
        <Status kind={kind} title={diagnostic ?? undefined}>
          {word}
        </Status>
      );
    },
  },
  { name: "Event", width: "1fr", cell: ({ event }) => event },
  { name: "Task", width: "1fr", cell: ({ payload }) => nameOfTask(payload) },
  {
    name: "Answer",
    width: "1.4fr",
    cell: ({ last_status, diagnostic, attempt_count }) =>
      [last_status === null ? diagnostic : `HTTP ${last_status}`, count(attempt_count, "attempt")]
        .filter(Boolean)
        .join(" · "),
  },
  { name: "When", width: "88px", isNumber: true, cell: ({ created_at }) => <Time at={created_at} /> },
];
