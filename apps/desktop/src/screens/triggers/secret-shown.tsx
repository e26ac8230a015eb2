import type { TriggerSecret } from "@belfry/client";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { CopyText } from "../../components/copy-text.tsx";

/** The question before a page is left that shows a key which nobody has had yet. */
export const newKey = "Leave without the new key? You can show it again on the page of the trigger.";

/** A key, shown until it is closed. It is nowhere else in the page. */
export function SecretShown({
  secret,
  onClose,
}: {
  readonly secret: TriggerSecret;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <section aria-label="Key" className="flex max-w-3xl flex-col gap-3 rounded-sm border border-accent p-4">
      <h2>The key of {secret.trigger.name}</h2>
      <p className="text-muted">Whoever has this key can run {secret.trigger.target_task_name}, and nothing else.</p>
      <div className="flex flex-col gap-1">
        <h3>Key</h3>
        <CopyText text={secret.key} />
      </div>
      <div className="flex flex-col gap-1">
        <h3>Command</h3>
        <p className="text-small text-muted">
          Run it on the daemon&apos;s machine. It reads the key from standard input, and fires the trigger.
        </p>
        <CopyText text={secret.command} />
      </div>
      <div>
        <Button onClick={onClose}>Hide the key</Button>
      </div>
    </section>
  );
}
