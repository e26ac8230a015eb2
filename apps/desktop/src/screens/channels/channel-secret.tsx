import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { CopyText } from "../../components/copy-text.tsx";

export interface ChannelSecretProps {
  readonly secret: string;
  readonly onDone: () => void;
  readonly children: ReactNode;
}

/** A signing secret, for the receiver. It is shown once. */
export function ChannelSecret({ secret, onDone, children }: ChannelSecretProps): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      <p>{children}</p>
      <CopyText text={secret} />
      <div className="flex justify-end">
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
