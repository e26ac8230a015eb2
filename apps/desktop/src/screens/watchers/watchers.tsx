import { eventKindsOf, type FilesystemWatcher } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { TaskChip } from "../../components/filter-chip.tsx";
import { List } from "../../components/list.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { FirstUse } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { useGrant } from "../../data/grant.ts";
import { useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { useWatcherActs } from "./watcher-acts.tsx";
import { describeWatcher } from "./watcher-words.ts";

const route = getRouteApi("/watchers");

/** Files and directories whose changes start a task. */
export function Watchers(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/watchers" });
  const { mayHere } = useGrant();
  const question = search.task === undefined ? {} : { target_task_id: search.task };
  const read = useReadPages(
    ["watchers", question],
    async (cursor, signal) => {
      const page = await client.watchers.list({ ...question, limit: 100, cursor }, { signal });
      return { items: page.filesystem_watchers, next: page.next_cursor };
    },
    { kinds: eventKindsOf("watchers") },
  );
  const { actsOf, problem, confirmation } = useWatcherActs();
  const edit = (watcherId: string): void => void navigate({ to: "/watchers/$watcherId/edit", params: { watcherId } });
  const add = mayHere("manage") && (
    <Button
      look="primary"
      onClick={() =>
        void navigate({ to: "/watchers/new", search: search.task === undefined ? {} : { task: search.task } })
      }
    >
      New watcher
    </Button>
  );
  const isFirstUse = read.data?.length === 0 && search.task === undefined;
  return (
    <Page
      title="Watchers"
      act={isFirstUse ? null : add}
      {...(search.task === undefined
        ? {}
        : { filters: <TaskChip id={search.task} onRemove={() => void navigate({ search: {} })} /> })}
    >
      {problem}
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
        onOpen={({ id }) => void navigate({ to: "/watchers/$watcherId", params: { watcherId: id } })}
        acts={(watcher) => (
          <MoreMenu
            of={watcher.name}
            acts={[mayHere("manage") ? { label: "Edit", onSelect: () => edit(watcher.id) } : null, ...actsOf(watcher)]}
          />
        )}
      />
      {confirmation}
    </Page>
  );
}

const columns: readonly Column<FilesystemWatcher>[] = [
  {
    name: "Watcher",
    width: "1.2fr",
    cell: ({ id, name }) => (
      <Link to="/watchers/$watcherId" params={{ watcherId: id }} tabIndex={-1} title={name}>
        {name}
      </Link>
    ),
  },
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
