import type { PairingSecret } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ChangeForm } from "../../components/change-form.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { Facts } from "../../components/page.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { FullTime } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { type Capability } from "../../data/grant.ts";
import { useSession } from "../../data/session.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { capabilityWords } from "./capability-words.ts";

const kinds = { cli: "The belfry command", desktop: "The desktop app", json: "A program with the SDK" } as const;

/** Offers one client access. The phrase is shown once, and stands in no code that a camera could read. */
export function PairingForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { client } = useSession();
  const [name, setName] = useState("");
  const [capability, setCapability] = useState<Capability>("observe");
  const [kind, setKind] = useState<keyof typeof kinds>("cli");
  const [secret, setSecret] = useState<PairingSecret | null>(null);
  const create = useChange(() => client.pairings.create({ name: name.trim(), capability, kind }), setSecret);
  const guard = useLeaveGuard(
    secret !== null || name !== "",
    secret === null ? undefined : "Leave without the phrase? It cannot be shown again.",
  );
  const error = create.state.is === "failed" ? create.state.error : null;
  if (secret !== null) return <Shown secret={secret} onClose={() => guard.leave(onClose)} />;
  return (
    <section aria-label="Pair a client" className="flex max-w-xl flex-col gap-3 rounded-sm border p-4">
      <h2>Pair a client</h2>
      <ChangeForm
        change={create}
        act="Create the pairing"
        isComplete={name.trim() !== ""}
        fields={["name"]}
        onCancel={onClose}
      >
        <TextField
          label="Name"
          required
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fieldError(error, "name")}
          hint="Who or what will have access, for example: Ada's laptop."
        />
        <SelectField
          label="Capability"
          value={capability}
          onChange={(event) => setCapability(event.target.value as Capability)}
        >
          {Object.entries(capabilityWords).map(([value, text]) => (
            <option key={value} value={value}>
              {value}: {text}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Client"
          value={kind}
          onChange={(event) => setKind(event.target.value as keyof typeof kinds)}
        >
          {Object.entries(kinds).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      </ChangeForm>
    </section>
  );
}

function Shown({ secret, onClose }: { readonly secret: PairingSecret; readonly onClose: () => void }): ReactNode {
  return (
    <section aria-label="New pairing" className="flex max-w-3xl flex-col gap-3 rounded-sm border border-accent p-4">
      <h2>The client needs both of these</h2>
      <p className="text-muted">
        Send the two by different ways, for example one by mail and one by telephone. The phrase is shown only once.
      </p>
      <div className="flex flex-wrap gap-4">
        <div className="flex min-w-60 flex-1 flex-col gap-1">
          <h3>Invitation</h3>
          <CopyText text={secret.invitation} isLong />
        </div>
        <QrCode text={secret.invitation} label="The invitation as a QR code, without the phrase" />
      </div>
      <div className="flex flex-col gap-1">
        <h3>Phrase</h3>
        <CopyText text={secret.phrase} />
      </div>
      <Facts
        facts={[
          { name: "Valid until", value: <FullTime at={secret.expires_at} /> },
          {
            name: "Addresses",
            value: secret.addresses.join(", ") || "none: remote access is off, so no client can connect yet",
          },
          { name: "Command", value: <code>belfry enroll INVITATION</code> },
        ]}
      />
      <div>
        <Button onClick={onClose}>Hide the phrase</Button>
      </div>
    </section>
  );
}
