import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextArea, TextField } from "../../components/fields.tsx";
import { Problem } from "../../components/states.tsx";
import { useSession } from "../../data/session.tsx";
import { ShellError, type ShellProfile } from "../../shell/shell.ts";

export interface EnrolFormProps {
  readonly onClose: () => void;
  readonly onEnrolled: (profile: ShellProfile) => void;
}

/** Takes an invitation and its phrase. The phrase is sent to the daemon that the invitation names, and to nobody else. */
export function EnrolForm({ onClose, onEnrolled }: EnrolFormProps): ReactNode {
  const { shell } = useSession();
  const [invitation, setInvitation] = useState("");
  const [phrase, setPhrase] = useState("");
  const [name, setName] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<ShellError | null>(null);
  const enrol = async (): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      onEnrolled(await shell.enrol({ invitation, phrase, ...(name.trim() === "" ? {} : { name: name.trim() }) }));
    } catch (reason) {
      setError(reason instanceof ShellError ? reason : new ShellError(String(reason), { code: "unknown" }));
    } finally {
      setIsBusy(false);
    }
  };
  const of = (field: string): string | null => (error?.field === field ? error.message : null);
  return (
    <form
      aria-label="Enrol with a daemon"
      className="flex max-w-xl flex-col gap-3 rounded-sm border p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void enrol();
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
      {error !== null && !["invitation", "phrase", "name"].includes(error.field ?? "") && <Problem error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={isBusy}
          disabled={invitation.trim() === "" || phrase.trim() === ""}
        >
          Enrol
        </Button>
      </div>
    </form>
  );
}
