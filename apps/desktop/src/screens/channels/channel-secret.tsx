import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { useKeepOpen } from "../../components/dialog.tsx";
import { useLeaveGuard } from "../edit/leave-guard.ts";

export interface ChannelSecretProps {
  readonly secret: string;
  readonly onDone: () => void;
  readonly children: ReactNode;
}

/** A signing secret, for the receiver. It is shown once, and until the person is done with it. */
export function ChannelSecret({ secret, onDone, children }: ChannelSecretProps): ReactNode {
  const guard = useLeaveGuard(true, "Leave without the secret? It cannot be shown again.");
  useKeepOpen(true);
  return (
    <div className="flex flex-col gap-3">
      <p>{children}</p>
      <CopyText text={secret} />
      <div className="flex justify-end">
        <Button look="primary" onClick={() => guard.leave(onDone)}>
          Done
        </Button>
      </div>
    </div>
  );
}
