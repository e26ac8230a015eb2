import { type ReactNode, useState } from "react";
import { ChangeForm } from "../../components/change-form.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/fields.tsx";
import { MomentField } from "../../components/moment-field.tsx";
import { useChange } from "../../data/change.ts";
import { fieldError } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";

export interface HoldDialogProps {
  /** The group to hold; null for all tasks. */
  readonly group: { readonly id: string; readonly name: string } | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Holds tasks: none of them starts until somebody releases them, or until a time. */
export function HoldDialog({ group, isOpen, onClose }: HoldDialogProps): ReactNode {
  const title = group === null ? "Hold all tasks?" : `Hold the tasks in ${group.name}?`;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <HoldForm group={group} onDone={onClose} />
    </Dialog>
  );
}

function HoldForm({ group, onDone }: Pick<HoldDialogProps, "group"> & { readonly onDone: () => void }): ReactNode {
  const { client } = useSession();
  const [until, setUntil] = useState("");
  const [reason, setReason] = useState("");
  const place = useChange(
    () =>
      client.holds.place({
        group_id: group?.id ?? null,
        until: until === "" ? null : new Date(until).toISOString(),
        reason: reason.trim() || null,
      }),
    onDone,
  );
  const error = place.state.is === "failed" ? place.state.error : null;
  return (
    <ChangeForm change={place} act="Hold" isComplete fields={["until", "reason"]} onCancel={onDone}>
      <p>
        None of them starts until you release them. What runs now goes on. Scheduled times in between leave a skipped
        run that says why.
      </p>
      <MomentField
        label="Until (optional)"
        value={until}
        onChange={(event) => setUntil(event.target.value)}
        error={fieldError(error, "until")}
        hint="In the time zone of this computer."
      />
      <TextField
        label="Reason (optional)"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={fieldError(error, "reason")}
        hint="Everybody who asks why a task did not start reads it."
      />
    </ChangeForm>
  );
}
