import type { NotificationChannel } from "@belfry/client";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { Act } from "../../components/menu.tsx";
import { ChangeProblem } from "../../components/states.tsx";
import { type Change, useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useSession } from "../../data/session.tsx";
import { DeleteChannel } from "./delete-channel.tsx";
import { RotateForm } from "./rotate-form.tsx";

export interface ChannelActs {
  readonly test: Change<readonly [NotificationChannel]>;
  /** The acts beside the test and the edit. */
  readonly actsOf: (channel: NotificationChannel) => readonly (Act | null)[];
  /** Says why a channel could not be tested, enabled or disabled. */
  readonly problem: ReactNode;
  readonly dialogs: ReactNode;
}

/** The acts on a channel, for its row and for its page. */
export function useChannelActs(onDeleted?: () => void): ChannelActs {
  const { client } = useSession();
  const navigate = useNavigate();
  const { may, mayHere } = useGrant();
  const [asked, setAsked] = useState<NotificationChannel | null>(null);
  const [rotated, setRotated] = useState<NotificationChannel | null>(null);
  const turn = useChange(({ id, enabled }: NotificationChannel) =>
    enabled ? client.notificationChannels.disable(id) : client.notificationChannels.enable(id),
  );
  const test = useChange(
    ({ id }: NotificationChannel) => client.notificationChannels.test(id),
    (_, { id }) => void navigate({ to: "/deliveries", search: { channel: id } }),
  );
  return {
    test,
    actsOf: (channel) => [
      may("operate")
        ? { label: channel.enabled ? "Disable" : "Enable", isAtOnce: true, onSelect: () => turn.run(channel) }
        : null,
      mayHere("manage") ? { label: "Replace its secrets", onSelect: () => setRotated(channel) } : null,
      mayHere("manage") ? { label: "Delete", isDanger: true, onSelect: () => setAsked(channel) } : null,
    ],
    problem: (
      <>
        <ChangeProblem change={turn} />
        <ChangeProblem change={test} />
      </>
    ),
    dialogs: (
      <>
        <Dialog
          title={`Replace the secrets of ${rotated?.name ?? ""}`}
          isOpen={rotated !== null}
          onClose={() => setRotated(null)}
        >
          {rotated !== null && <RotateForm channel={rotated} onDone={() => setRotated(null)} />}
        </Dialog>
        {asked !== null && (
          <DeleteChannel
            channel={asked}
            onClose={() => setAsked(null)}
            onDeleted={() => {
              setAsked(null);
              onDeleted?.();
            }}
          />
        )}
      </>
    ),
  };
}
