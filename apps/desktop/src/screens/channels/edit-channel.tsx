import type { NotificationChannel } from "@belfry/client";
import type { ReactNode } from "react";
import { DraftForm } from "../../components/draft-form.tsx";
import { useChange } from "../../data/change.ts";
import { useDraft } from "../../data/draft.ts";
import { useSession } from "../../data/session.tsx";
import { ChannelFields, type ChannelValues } from "./channel-fields.tsx";

const fields = ["name", "endpoint"];

export interface EditChannelProps {
  /** The channel as it is now. */
  readonly channel: NotificationChannel;
  readonly onDone: () => void;
}

/** Changes where a channel sends to, and its name. Its secrets are replaced elsewhere. */
export function EditChannel({ channel, onDone }: EditChannelProps): ReactNode {
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
  const save = useChange(() => client.notificationChannels.update(base.id, body, { ifMatch: base.revision }), onDone);
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
