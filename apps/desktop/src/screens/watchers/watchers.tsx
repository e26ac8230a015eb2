import type { FilesystemWatcher } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Confirm, Dialog } from "../../components/dialog.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { ChangeProblem, FirstUse, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { WatcherForm } from "./watcher-form.tsx";
import { describeWatcher } from "./watcher-words.ts";

const route = getRouteApi("/watchers");

/** Files and directories whose changes start a task. */
export function Watchers(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/watchers" });
  const { may } = useGrant();
  const question = search.task === undefined ? {} : { target_task_id: search.task };
  const read = useReadPages(
    ["watchers", question],
    async (cursor, signal) => {
      const page = await client.watchers.list({ ...question, limit: 100, cursor }, { signal });
      return { items: page.filesystem_watchers, next: page.next_cursor };
    },
    { kinds: ["filesystem_watcher", "task"] },
  );
  const [asked, setAsked] = useState<FilesystemWatcher | null>(null);
  const remove = useChange(
    ({ id, revision }: FilesystemWatcher) => client.watchers.delete(id, { ifMatch: revision }),
    () => setAsked(null),
  );
  const turn = useChange(({ id, enabled }: FilesystemWatcher) =>
    enabled ? client.watchers.disable(id) : client.watchers.enable(id),
  );
  const open = (): void => void navigate({ search: (former) => ({ ...former, new: true as const }) });
  const close = (): void => void navigate({ search: ({ new: _, ...former }) => former });
  const add = may("manage") && (
    <Button look="primary" onClick={open}>
      New watcher
    </Button>
  );
  return (
    <Page title="Watchers" act={add}>
      <ChangeProblem change={turn} />
      <Shown read={read}>
        {(watchers) =>
          watchers.length === 0 ? (
            search.task === undefined ? (
              <FirstUse
                title="No watchers yet"
                act={add}
                command="belfry watcher add incoming --directory /srv/incoming --task TASK"
              >
                A watcher starts a task when files change, and hands it the list of files that did.
              </FirstUse>
            ) : (
              <p className="text-muted">No watcher starts this task.</p>
            )
          ) : (
            <Table
              label="Watchers"
              columns={columns}
              rows={watchers}
              idOf={({ id }) => id}
              more={read}
              acts={(watcher) => (
                <MoreMenu
                  label={`Acts`}
                  acts={[
                    may("operate")
                      ? { label: watcher.enabled ? "Disable" : "Enable", onSelect: () => turn.run(watcher) }
                      : null,
                    may("manage") ? { label: "Delete", isDanger: true, onSelect: () => setAsked(watcher) } : null,
                  ]}
                />
              )}
            />
          )
        }
      </Shown>
      <Dialog title="New watcher" isOpen={search.new === true && may("manage")} onClose={close}>
        <WatcherForm taskId={search.task ?? ""} onDone={close} />
      </Dialog>
      <Confirm
        title="Delete the watcher?"
        act="Delete"
        isDanger
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        isBusy={remove.isPending}
        problem={<ChangeProblem change={remove} />}
        onConfirm={() => asked !== null && remove.run(asked)}
      >
        <p>Changes of files no longer start {asked?.target_task_name}. The task and its runs stay.</p>
      </Confirm>
    </Page>
  );
}

const columns: readonly Column<FilesystemWatcher>[] = [
  { name: "Watcher", width: "1.2fr", cell: ({ name }) => <span title={name}>{name}</span> },
  {
    name: "Health",
    width: "144px",
    cell: (watcher) => {
      const { kind, word, text } = describeWatcher(watcher);
      return (
        <Status kind={kind} title={text}>
          {word}
        </Status>
      );
    },
  },
  { name: "Since", width: "80px", isNumber: true, isWide: true, cell: ({ health }) => <Time at={health.since} /> },
  {
    name: "Watches",
    width: "1.6fr",
    cell: ({ kind, path, pattern, recursive }) =>
      path === undefined ? (
        <span className="text-muted">a {kind} on the daemon&apos;s machine</span>
      ) : (
        <code title={path}>
          {path}
          {pattern !== undefined && `/${recursive ? "**/" : ""}${pattern}`}
        </code>
      ),
  },
  {
    name: "Task",
    width: "1fr",
    cell: ({ target_task_id, target_task_name }) => <TaskLink id={target_task_id} name={target_task_name} />,
  },
];
