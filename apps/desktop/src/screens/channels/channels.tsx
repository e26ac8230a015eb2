import type { NotificationChannel } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { List } from "../../components/list.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { ChangeProblem, FirstUse } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { newestOf } from "../../data/draft.ts";
import { useGrant } from "../../data/grant.ts";
import { useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { ChannelForm } from "./channel-form.tsx";
import { EditChannel } from "./edit-channel.tsx";
import { NotifiedBy } from "./notified-by.tsx";
import { RotateForm } from "./rotate-form.tsx";

const route = getRouteApi("/channels");

/** Where webhooks go. */
export function Channels(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/channels" });
  const { may } = useGrant();
  const read = useReadPages(
    ["channels"],
    async (cursor, signal) => {
      const page = await client.notificationChannels.list({ limit: 100, cursor }, { signal });
      return { items: page.notification_channels, next: page.next_cursor };
    },
    { kinds: ["notification_channel", "notification_delivery"] },
  );
  const [asked, setAsked] = useState<NotificationChannel | null>(null);
  const [edited, setEdited] = useState<NotificationChannel | null>(null);
  const [rotated, setRotated] = useState<NotificationChannel | null>(null);
  const remove = useChange(
    ({ id, revision }: NotificationChannel) => client.notificationChannels.delete(id, { ifMatch: revision }),
    () => setAsked(null),
  );
  const turn = useChange(({ id, enabled }: NotificationChannel) =>
    enabled ? client.notificationChannels.disable(id) : client.notificationChannels.enable(id),
  );
  const test = useChange(
    ({ id }: NotificationChannel) => client.notificationChannels.test(id),
    (_, { id }) => void navigate({ to: "/deliveries", search: { channel: id } }),
  );
  const open = (): void => void navigate({ search: { new: true } });
  const close = (): void => void navigate({ search: {} });
  const add = may("manage") && (
    <Button look="primary" onClick={open}>
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
        may("manage") ? { label: "Edit", onSelect: () => setEdited(channel) } : null,
        may("operate") ? { label: "Send a test", onSelect: () => test.run(channel) } : null,
        may("operate") ? { label: channel.enabled ? "Disable" : "Enable", onSelect: () => turn.run(channel) } : null,
        may("manage") ? { label: "Replace its secrets", onSelect: () => setRotated(channel) } : null,
        may("manage") ? { label: "Delete", isDanger: true, onSelect: () => setAsked(channel) } : null,
      ]}
    />
  );
  const isFirstUse = read.data?.length === 0;
  return (
    <Page title="Channels" act={isFirstUse ? null : add}>
      <ChangeProblem change={turn} />
      <ChangeProblem change={test} />
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
        onOpen={({ id }) => void navigate({ to: "/deliveries", search: { channel: id } })}
        acts={acts}
      />
      <Dialog title="New channel" isOpen={search.new === true && may("manage")} onClose={close}>
        <ChannelForm onDone={close} />
      </Dialog>
      <Dialog title={`Edit ${edited?.name ?? ""}`} isOpen={edited !== null} onClose={() => setEdited(null)}>
        {edited !== null && <EditChannel channel={newestOf(edited, read.data)} onDone={() => setEdited(null)} />}
      </Dialog>
      <Dialog
        title={`Replace the secrets of ${rotated?.name ?? ""}`}
        isOpen={rotated !== null}
        onClose={() => setRotated(null)}
      >
        {rotated !== null && <RotateForm channel={rotated} onDone={() => setRotated(null)} />}
      </Dialog>
      <ConfirmChange
        title={`Delete the channel ${asked?.name ?? ""}?`}
        act="Delete"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {(channel) => (
          <>
            <NotifiedBy channel={channel} />
            <p>Its address, its secrets and its unfinished deliveries are deleted. This cannot be undone.</p>
          </>
        )}
      </ConfirmChange>
    </Page>
  );
}

const columns: readonly Column<NotificationChannel>[] = [
  { name: "Channel", width: "1.2fr", cell: ({ name }) => name },
  {
    name: "Health",
    width: "168px",
    cell: ({ enabled, consecutive_failures }) => {
      if (!enabled) return <Status kind="off">Disabled</Status>;
      if (consecutive_failures === 0) return <Status kind="success">Healthy</Status>;
      return <Status kind="failure">Failing ({consecutive_failures})</Status>;
    },
  },
  { name: "Endpoint", width: "1.4fr", cell: ({ endpoint_summary }) => <code>{endpoint_summary}</code> },
  {
    name: "Secrets",
    width: "1fr",
    isWide: true,
    cell: ({ has_authorization, has_signing_secret }) =>
      [has_authorization ? "authorization" : null, has_signing_secret ? "signing secret" : null]
        .filter(Boolean)
        .join(", ") || "none",
  },
  {
    name: "Failing since",
    width: "104px",
    isNumber: true,
    cell: ({ failing_since }) => (failing_since === null ? null : <Time at={failing_since} />),
  },
];
