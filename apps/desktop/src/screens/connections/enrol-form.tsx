import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextArea, TextField } from "../../components/fields.tsx";
import { Problem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { isShellUncertain, sentence } from "../../data/errors.ts";
import { useSession } from "../../data/session.tsx";
import { ShellError, type ShellProfile } from "../../shell/shell.ts";
import { useLeaveGuard } from "../edit/leave-guard.ts";

export interface EnrolFormProps {
  readonly onClose: () => void;
  readonly onEnrolled: (profile: ShellProfile) => void;
  /** Reads the profiles again: there may be a new one, though no answer said so. */
  readonly onUncertain: () => void;
}

const fields = ["invitation", "phrase", "name"];

/** Takes an invitation and its phrase. The phrase is sent to the daemon that the invitation names, and to nobody else. */
export function EnrolForm({ onClose, onEnrolled, onUncertain }: EnrolFormProps): ReactNode {
  const { shell } = useSession();
  const [invitation, setInvitation] = useState("");
  const [phrase, setPhrase] = useState("");
  const [name, setName] = useState("");
  const enrol = useChange(async () => {
    try {
      return await shell.enrol({ invitation, phrase, ...(name.trim() === "" ? {} : { name: name.trim() }) });
    } catch (reason) {
      if (isShellUncertain(reason)) onUncertain();
      throw reason;
    }
  }, onEnrolled);
  const error = enrol.state.is === "failed" ? enrol.state.error : null;
  const mayBeDone = isShellUncertain(error);
  useLeaveGuard(
    enrol.isPending || [invitation, phrase, name].some((text) => text !== ""),
    enrol.isPending || mayBeDone
      ? "Leave without knowing whether the daemon is enrolled?"
      : "Leave without enrolling with the daemon?",
  );
  const of = (field: string): string | null =>
    error instanceof ShellError && error.field === field ? sentence(error.message) : null;
  return (
    <form
      aria-label="Enrol with a daemon"
      className="flex max-w-xl flex-col gap-3 rounded-sm border p-4"
      onSubmit={(event) => {
        event.preventDefault();
        enrol.run();
      }}
    >
      <h2>Enrol with a daemon on another machine</h2>
      <p className="text-muted">
        On that machine, run <code>belfry pair NAME</code>. It prints an invitation and a phrase.
      </p>
      <TextArea
        label="Invitation"
        required
        value={invitation}
        onChange={(event) => setInvitation(event.target.value)}
        error={of("invitation")}
      />
      <TextField
        label="Phrase"
        required
        type="password"
        value={phrase}
        onChange={(event) => setPhrase(event.target.value)}
        error={of("phrase")}
        hint="Six words."
      />
      <TextField
        label="Name (optional)"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={of("name")}
        hint="What to call this daemon here. Without one: its host name."
      />
      {error !== null && fields.every((field) => of(field) === null) && (
        <>
          <Problem error={error} />
          {mayBeDone && (
            <p className="text-attention">
              The phrase may have been used. Look in the list below before you try again: if the daemon is there now, it
              is enrolled. If it is not, you may need a new pairing.
            </p>
          )}
        </>
      )}
      <div className="flex justify-end gap-2">
        <Button disabled={enrol.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          look="primary"
          isBusy={enrol.isPending}
          disabled={invitation.trim() === "" || phrase.trim() === ""}
        >
          {enrol.isPending ? "Sending …" : "Enrol"}
        </Button>
      </div>
    </form>
  );
}
