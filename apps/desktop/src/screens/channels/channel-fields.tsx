import type { ReactNode } from "react";
import { TextField } from "../../components/fields.tsx";
import { NameField } from "../../components/name-field.tsx";
import { fieldError } from "../../data/errors.ts";

export interface ChannelValues {
  readonly name: string;
  readonly endpoint: string;
}

export interface ChannelFieldsProps {
  readonly form: ChannelValues;
  readonly set: (change: Partial<ChannelValues>) => void;
  readonly error: unknown;
  /** What is known of a stored endpoint: an empty field leaves it as it is. Null if there is none yet. */
  readonly stored: string | null;
}

/** The name and the endpoint of a channel. */
export function ChannelFields({ form, set, error, stored }: ChannelFieldsProps): ReactNode {
  return (
    <>
      <NameField value={form.name} onChange={(name) => set({ name })} error={error} />
      <TextField
        label={stored === null ? "Endpoint" : "New endpoint (optional)"}
        type="url"
        required={stored === null}
        isMono
        value={form.endpoint}
        onChange={(event) => set({ endpoint: event.target.value })}
        error={fieldError(error, "endpoint")}
        hint={
          stored === null ? (
            "An https URL, or http on the daemon's own machine. It is a secret: after this, only its host is shown."
          ) : (
            <>
              The endpoint is a secret, so only its host is shown: <code className="break-words">{stored}</code>. Leave
              the field empty to keep the endpoint as it is.
            </>
          )
        }
      />
    </>
  );
}
