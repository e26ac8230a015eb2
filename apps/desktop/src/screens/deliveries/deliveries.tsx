import type { NotificationDelivery } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { withMember } from "../../app/search.ts";
import { useKeys } from "../../app/keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { SelectField } from "../../components/fields.tsx";
import { RunChip, TaskChip } from "../../components/filter-chip.tsx";
import { List } from "../../components/list.tsx";
import { Page } from "../../components/page.tsx";
import { FirstUse } from "../../components/states.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead, useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";
import { nameOfTask } from "./delivery-facts.tsx";
import { type DeliveryState, deliveryStates, DeliveryStatus } from "./delivery-status.tsx";

const route = getRouteApi("/deliveries");
const dayMs = 86_400_000;

/** Every webhook that was sent, or will be. */
export function Deliveries(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/deliveries" });
  const { may } = useGrant();
  const state =
    search.state !== undefined && search.state in deliveryStates ? (search.state as DeliveryState) : undefined;
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
  const channelName = channels.data?.notification_channels.find(({ id }) => id === search.channel)?.name;
  const isFiltered = Object.keys(question).length > 0;
  const isFirst = read.data?.length === 0 && !isFiltered && !read.isFormer;
  const [isAsked, setIsAsked] = useState(false);
  const all = useChange(
    ({ channel }: Pick<typeof search, "channel">) =>
      client.notificationDeliveries.redeliverFailed({
        since: new Date(Date.now() - dayMs).toISOString(),
        ...(channel === undefined ? {} : { channel_id: channel }),
      }),
    () => setIsAsked(false),
  );
  const set = (name: keyof typeof search, value: string | undefined): void =>
    void navigate({ search: (former) => withMember(former, name, value) });
  const mayResend = may("operate") && !isFirst;
  useKeys([mayResend ? { text: "Send failed ones again", act: () => setIsAsked(true) } : null]);
  return (
    <Page
      title="Deliveries"
      act={mayResend && <Button onClick={() => setIsAsked(true)}>Send failed ones again</Button>}
      filters={
        <>
          <SelectField
            label="State"
            isLabelHidden
            value={state ?? ""}
            onChange={(event) => set("state", event.target.value)}
          >
            <option value="">Any state</option>
            {Object.entries(deliveryStates).map(([name, [, word]]) => (
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
          {search.task !== undefined && <TaskChip id={search.task} onRemove={() => set("task", undefined)} />}
          {search.run !== undefined && <RunChip id={search.run} onRemove={() => set("run", undefined)} />}
        </>
      }
    >
      <List
        label="Deliveries"
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
        onOpen={({ id }) => void navigate({ to: "/deliveries/$deliveryId", params: { deliveryId: id } })}
      />
      <ConfirmChange
        title="Send failed deliveries again?"
        act="Send again"
        isDanger={false}
        subject={isAsked ? search : null}
        change={all}
        onClose={() => setIsAsked(false)}
      >
        {({ channel, task, run }) => (
          <>
            <p>
              Every delivery{channel === undefined ? "" : ` to ${channelName ?? "this channel"}`} that failed in the
              last 24 hours is sent once more, as a new delivery.
            </p>
            {(task !== undefined || run !== undefined) && (
              <p className="text-attention">This includes the deliveries of all tasks, not only those in the list.</p>
            )}
          </>
        )}
      </ConfirmChange>
    </Page>
  );
}

const idOf = ({ id }: NotificationDelivery): string => id;

const columns: readonly Column<NotificationDelivery>[] = [
  {
    name: "Channel",
    width: "1fr",
    cell: ({ id, channel_name }) => (
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} tabIndex={-1}>
        {channel_name}
      </Link>
    ),
  },
  { name: "State", width: "112px", cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
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
