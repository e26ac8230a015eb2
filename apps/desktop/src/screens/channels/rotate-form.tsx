import { generateSigningSecret, type NotificationChannel, type NotificationChannelRotate } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { ChangeForm } from "../../components/change-form.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { useKeepOpen } from "../../components/dialog.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { isKnownDone, useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";
import { ChannelSecret } from "./channel-secret.tsx";

/** Replaces or removes what a channel sends to prove itself. */
export function RotateForm({
  channel,
  onDone,
}: {
  readonly channel: NotificationChannel;
  readonly onDone: () => void;
}): ReactNode {
  const { client } = useSession();
  const [signing, setSigning] = useState("new");
  const [keeps, setKeeps] = useState("keep");
  const [authorization, setAuthorization] = useState("");
  const [secret] = useState(() => generateSigningSecret());
  // the form may change while it is sent
  const [sent, setSent] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);
  const body: NotificationChannelRotate = {
    ...(signing === "keep" ? {} : { signing_secret: signing === "new" ? secret : null }),
    ...(keeps === "keep" ? {} : { authorization: keeps === "new" ? authorization : null }),
  };
  const rotate = useChange(
    () => {
      setSent(signing === "new" ? secret : null);
      return client.notificationChannels.rotate(channel.id, body, { ifMatch: channel.revision });
    },
    () => (signing === "new" ? setIsDone(true) : onDone()),
  );
  const error = rotate.state.is === "failed" ? rotate.state.error : null;
  // no daemon can say which secret it has: while the answer is lost, this one may be in force
  const isInDoubt = sent !== null && rotate.mayBeDone;
  useKeepOpen(isInDoubt);
  if (sent !== null && (isDone || isKnownDone(rotate)))
    return (
      <ChannelSecret secret={sent} onDone={onDone}>
        Requests are signed with this secret from now on. Give it to the receiver: it cannot be shown again.
      </ChannelSecret>
    );
  return (
    <ChangeForm
      change={rotate}
      act="Replace"
      isComplete={Object.keys(body).length > 0 && (keeps !== "new" || authorization !== "")}
      fields={["authorization"]}
      onCancel={onDone}
    >
      <SelectField
        label="Signing secret"
        value={signing}
        onChange={(event) => setSigning(event.target.value)}
        hint={
          signing === "new" && channel.has_signing_secret
            ? "For 24 hours, requests are also signed with the previous secret."
            : undefined
        }
      >
        <option value="new">Replace it with a new one</option>
        <option value="keep">Leave it as it is</option>
        {channel.has_signing_secret && <option value="none">Remove it: requests are no longer signed</option>}
      </SelectField>
      <SelectField label="Authorization" value={keeps} onChange={(event) => setKeeps(event.target.value)}>
        <option value="keep">Leave it as it is</option>
        <option value="new">Replace it</option>
        {channel.has_authorization && <option value="none">Remove it</option>}
      </SelectField>
      {keeps === "new" && (
        <TextField
          label="New authorization"
          type="password"
          required
          isMono
          value={authorization}
          onChange={(event) => setAuthorization(event.target.value)}
          error={fieldError(error, "authorization")}
        />
      )}
      {isInDoubt && (
        <div className="flex flex-col gap-1">
          <p>This signing secret may be in use from now on. Keep it: it cannot be shown again.</p>
          <CopyText text={sent} />
        </div>
      )}
    </ChangeForm>
  );
}
