import type { FilesystemWatcher } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { withMember } from "../../app/search.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { List } from "../../components/list.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { ChangeProblem, FirstUse, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { newestOf } from "../../data/draft.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead, useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { WatcherFacts } from "./watcher-facts.tsx";
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
  const opened = useRead(["watcher", search.watcher], (signal) => client.watchers.get(search.watcher!, { signal }), {
    kinds: ["filesystem_watcher", "task"],
    isWanted: search.watcher !== undefined,
  });
  const show = (id: string | undefined): void =>
    void navigate({ search: (former) => withMember(former, "watcher", id), resetScroll: false });
  const [asked, setAsked] = useState<FilesystemWatcher | null>(null);
  const [edited, setEdited] = useState<FilesystemWatcher | null>(null);
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
  const isFirstUse = read.data?.length === 0 && search.task === undefined;
  return (
    <Page title="Watchers" act={isFirstUse ? null : add}>
      <ChangeProblem change={turn} />
      <List
        label="Watchers"
        columns={columns}
        read={read}
        filtered={search.task === undefined ? null : "No watcher starts this task."}
        empty={
          <FirstUse
            title="No watchers yet"
            act={add}
            command="belfry watcher add Inbox --task TASK --directory /srv/inbox"
          >
            A watcher starts a task when files change, and passes it the list of these files.
          </FirstUse>
        }
        idOf={({ id }) => id}
        onOpen={({ id }) => show(id)}
        acts={(watcher) => (
          <MoreMenu
            of={watcher.name}
            acts={[
              // a caller on another machine does not get the path, and cannot change it
              may("manage") && watcher.path !== undefined
                ? { label: "Edit", onSelect: () => setEdited(watcher) }
                : null,
              may("operate")
                ? { label: watcher.enabled ? "Disable" : "Enable", onSelect: () => turn.run(watcher) }
                : null,
              may("manage") ? { label: "Delete", isDanger: true, onSelect: () => setAsked(watcher) } : null,
            ]}
          />
        )}
      />
      <Dialog title="New watcher" isOpen={search.new === true && may("manage")} onClose={close}>
        <WatcherForm watcher={null} taskId={search.task ?? ""} onDone={close} />
      </Dialog>
      <Dialog title={`Edit ${edited?.name ?? ""}`} isOpen={edited !== null} onClose={() => setEdited(null)}>
        {edited !== null && <WatcherForm watcher={newestOf(edited, read.data)} onDone={() => setEdited(null)} />}
      </Dialog>
      <Dialog
        title={opened.data?.name ?? "Watcher"}
        isOpen={search.watcher !== undefined}
        onClose={() => show(undefined)}
      >
        <Shown read={opened}>{(watcher) => <WatcherFacts watcher={watcher} />}</Shown>
        <div className="flex justify-end">
          <Button onClick={() => show(undefined)}>Close</Button>
        </div>
      </Dialog>
      <ConfirmChange
        title={`Delete the watcher ${asked?.name ?? ""}?`}
        act="Delete"
        subject={asked}
        change={remove}
        onClose={() => setAsked(null)}
      >
        {({ target_task_name }) => <p>File changes no longer start {target_task_name}. The task and its runs stay.</p>}
      </ConfirmChange>
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
  { name: "Since", width: "80px", isNumber: true, cell: ({ health }) => <Time at={health.since} /> },
];
