import type { NotificationChannel } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useBack } from "../../app/back.ts";
import { DraftForm } from "../../components/draft-form.tsx";
import { OnlyHere } from "../../components/only-here.tsx";
import { Page } from "../../components/page.tsx";
import { Shown } from "../../components/states.tsx";
import { isKnownDone, useChange } from "../../data/change.ts";
import { useDraft } from "../../data/draft.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { ChannelFields, type ChannelValues } from "./channel-fields.tsx";

const fields = ["name", "endpoint"];

const route = getRouteApi("/channels/$channelId/edit");

export function EditChannel(): ReactNode {
  const { channelId } = route.useParams();
  const { client } = useSession();
  const navigate = useNavigate();
  const back = useBack(() => void navigate({ to: "/channels/$channelId", params: { channelId }, replace: true }));
  const read = useRead(
    ["channel", channelId, "edit"],
    (signal) => client.notificationChannels.get(channelId, { signal }),
    // a form that began with a former state would take the person's own changes for somebody else's
    { kinds: ["notification_channel"], keptMs: 0 },
  );
  const name = read.data?.name;
  return (
    <Page
      title={name === undefined ? "Edit a channel" : `Edit ${name}`}
      above={
        <Link to="/channels/$channelId" params={{ channelId }}>
          {name ?? "Channel"}
        </Link>
      }
    >
      <OnlyHere what="Editing a channel" does="changes channels" command="belfry channel edit CHANNEL --name NAME">
        <Shown read={read}>{(channel) => <Form key={channel.id} channel={channel} onDone={back} />}</Shown>
      </OnlyHere>
    </Page>
  );
}

interface FormProps {
  /** The channel as it is now. */
  readonly channel: NotificationChannel;
  readonly onDone: () => void;
}

/** Changes where a channel sends to, and its name. Its secrets are replaced elsewhere. */
function Form({ channel, onDone }: FormProps): ReactNode {
  const { client } = useSession();
  const draft = useDraft<NotificationChannel, ChannelValues>(channel, (stored) => ({
    name: stored?.name ?? "",
    endpoint: "",
  }));
  const { form, changed } = draft;
  const base = draft.base ?? channel;
  const body = {
    ...(changed.name === undefined ? {} : { name: changed.name.trim() }),
    ...(changed.endpoint === undefined ? {} : { endpoint: changed.endpoint.trim() }),
  };
  const save = useChange(
    () => client.notificationChannels.update(base.id, body, { ifMatch: base.revision }),
    () => guard.leave(onDone),
  );
  const guard = useLeaveGuard(Object.keys(changed).length > 0 && !isKnownDone(save));
  return (
    <DraftForm
      draft={draft}
      what="channel"
      describe={({ name, endpoint_summary }) => ({ Name: name, Endpoint: endpoint_summary })}
      change={save}
      isComplete={form.name.trim() !== ""}
      fields={fields}
      onCancel={onDone}
    >
      <ChannelFields
        form={form}
        set={draft.set}
        error={save.state.is === "failed" ? save.state.error : null}
        stored={base.endpoint_summary}
      />
    </DraftForm>
  );
}
