import { eventKindsOf, type NotificationChannel } from "@belfry/client";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { List } from "../../components/list.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { FirstUse } from "../../components/states.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useGrant } from "../../data/grant.ts";
import { useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { useChannelActs } from "./channel-acts.tsx";
import { ChannelStatus, secretsOf } from "./channel-status.tsx";

/** Where webhooks go. */
export function Channels(): ReactNode {
  const { client } = useSession();
  const navigate = useNavigate();
  const { may, mayHere } = useGrant();
  const read = useReadPages(
    ["channels"],
    async (cursor, signal) => {
      const page = await client.notificationChannels.list({ limit: 100, cursor }, { signal });
      return { items: page.notification_channels, next: page.next_cursor };
    },
    { kinds: eventKindsOf("channels") },
  );
  const { test, actsOf, problem, dialogs } = useChannelActs();
  const add = mayHere("manage") && (
    <Button look="primary" onClick={() => void navigate({ to: "/channels/new" })}>
      New channel
    </Button>
  );
  const acts = (channel: NotificationChannel): ReactNode => (
    <MoreMenu
      of={channel.name}
      acts={[
        {
          label: "See its deliveries",
          onSelect: () => void navigate({ to: "/deliveries", search: { channel: channel.id } }),
        },
        mayHere("manage")
          ? {
              label: "Edit",
              onSelect: () => void navigate({ to: "/channels/$channelId/edit", params: { channelId: channel.id } }),
            }
          : null,
        may("operate") ? { label: "Send a test", onSelect: () => test.run(channel) } : null,
        ...actsOf(channel),
      ]}
    />
  );
  const isFirstUse = read.data?.length === 0;
  return (
    <Page title="Channels" act={isFirstUse ? null : add}>
      {problem}
      <List
        label="Channels"
        columns={columns}
        read={read}
        filtered={null}
        empty={
          <FirstUse title="No channels yet" act={add} command="belfry channel add Ops --generate-signing-secret">
            A channel is an address that receives a webhook when a run ends. Choose on a task&apos;s page which of its
            runs notify the channel.
          </FirstUse>
        }
        idOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: "/channels/$channelId", params: { channelId: id } })}
        acts={acts}
      />
      {dialogs}
    </Page>
  );
}

const columns: readonly Column<NotificationChannel>[] = [
  {
    name: "Channel",
    width: "1.2fr",
    cell: ({ id, name }) => (
      <Link to="/channels/$channelId" params={{ channelId: id }} tabIndex={-1}>
        {name}
      </Link>
    ),
  },
  { name: "Health", width: "168px", cell: (channel) => <ChannelStatus channel={channel} /> },
  { name: "Endpoint", width: "1.4fr", cell: ({ endpoint_summary }) => <code>{endpoint_summary}</code> },
  { name: "Secrets", width: "1fr", isWide: true, cell: secretsOf },
  {
    name: "Failing since",
    width: "104px",
    isNumber: true,
    cell: ({ failing_since }) => (failing_since === null ? null : <Time at={failing_since} />),
  },
];
