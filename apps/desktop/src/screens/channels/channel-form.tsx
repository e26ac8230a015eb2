import { generateSigningSecret } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { ChangeForm } from "../../components/change-form.tsx";
import { CheckField, TextField } from "../../components/fields.tsx";
import { isKnownDone, madeIdOf, useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { ChannelFields, type ChannelValues } from "./channel-fields.tsx";
import { ChannelSecret } from "./channel-secret.tsx";

const fields = ["name", "endpoint", "authorization", "signing_secret"];

export interface ChannelFormProps {
  /** Leaves for the channel that was created. */
  readonly onDone: (id: string) => void | Promise<void>;
  readonly onCancel: () => void;
}

/** A new channel. Its address and its secrets cannot be read again. */
export function ChannelForm({ onDone, onCancel }: ChannelFormProps): ReactNode {
  const { client } = useSession();
  const [form, setForm] = useState<ChannelValues>({ name: "", endpoint: "" });
  const [authorization, setAuthorization] = useState("");
  const [secret, setSecret] = useState<string | null>(() => generateSigningSecret());
  // the form may change while it is sent
  const [sent, setSent] = useState<string | null>(null);
  const [madeId, setMadeId] = useState<string | null>(null);
  const create = useChange(
    () => {
      setSent(secret);
      return client.notificationChannels.create({
        name: form.name.trim(),
        endpoint: form.endpoint.trim(),
        ...(authorization === "" ? {} : { authorization }),
        ...(secret === null ? {} : { signing_secret: secret }),
      });
    },
    ({ id }) => (secret === null ? guard.leave(() => onDone(id)) : setMadeId(id)),
  );
  const isMade = madeId !== null || isKnownDone(create);
  const guard = useLeaveGuard(!isMade && [form.name, form.endpoint, authorization].some((text) => text !== ""));
  const leave = (): void => {
    const id = madeId ?? madeIdOf(create);
    if (id === null) onCancel();
    else void onDone(id);
  };
  const error = create.state.is === "failed" ? create.state.error : null;
  if (isMade && sent !== null)
    return (
      <ChannelSecret secret={sent} onDone={leave}>
        The channel has been created. Give this signing secret to the receiver: it cannot be shown again.
      </ChannelSecret>
    );
  return (
    <ChangeForm
      change={create}
      act="Create the channel"
      isComplete={form.name.trim() !== "" && form.endpoint.trim() !== ""}
      fields={fields}
      onCancel={onCancel}
      onMade={(id) => void onDone(id)}
    >
      <ChannelFields form={form} set={(change) => setForm({ ...form, ...change })} error={error} stored={null} />
      <TextField
        label="Authorization (optional)"
        type="password"
        isMono
        value={authorization}
        onChange={(event) => setAuthorization(event.target.value)}
        error={fieldError(error, "authorization")}
        hint="The value of the Authorization header, for example: Bearer TOKEN."
      />
      <CheckField
        label="Sign the requests"
        hint="The receiver can check that they come from this daemon."
        checked={secret !== null}
        onChange={(event) => setSecret(event.target.checked ? generateSigningSecret() : null)}
      />
    </ChangeForm>
  );
}
