import type { FilesystemWatcher } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import type { Act } from "../../components/menu.tsx";
import { ChangeProblem } from "../../components/states.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useSession } from "../../data/session.tsx";

export interface WatcherActs {
  readonly actsOf: (watcher: FilesystemWatcher) => readonly (Act | null)[];
  /** Says why a watcher could not be enabled or disabled. */
  readonly problem: ReactNode;
  readonly confirmation: ReactNode;
}

/** The acts on a watcher, beside its edit, for its row and for its page. */
export function useWatcherActs(onDeleted?: () => void): WatcherActs {
  const { client } = useSession();
  const { may, mayHere } = useGrant();
  const [asked, setAsked] = useState<FilesystemWatcher | null>(null);
  const remove = useChange(
    ({ id, revision }: FilesystemWatcher) => client.watchers.delete(id, { ifMatch: revision }),
    () => {
      setAsked(null);
      onDeleted?.();
    },
  );
  const turn = useChange(({ id, enabled }: FilesystemWatcher) =>
    enabled ? client.watchers.disable(id) : client.watchers.enable(id),
  );
  return {
    actsOf: (watcher) => [
      may("operate")
        ? { label: watcher.enabled ? "Disable" : "Enable", isAtOnce: true, onSelect: () => turn.run(watcher) }
        : null,
      mayHere("manage") ? { label: "Delete", isDanger: true, onSelect: () => setAsked(watcher) } : null,
    ],
    problem: <ChangeProblem change={turn} />,
    confirmation: (
      <ConfirmChange
        title={`Delete the watcher ${asked?.name ?? ""}?`}
        act="Delete"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {({ target_task_name }) => <p>File changes no longer start {target_task_name}. The task and its runs stay.</p>}
      </ConfirmChange>
    ),
  };
}
