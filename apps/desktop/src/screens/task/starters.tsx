import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { describeTrigger } from "../triggers/trigger-words.ts";
import { describeWatcher } from "../watchers/watcher-words.ts";

/** The triggers and watchers that start the task. */
export function Starters({ taskId }: { readonly taskId: string }): ReactNode {
  const { client } = useSession();
  const { mayHere } = useGrant();
  const triggers = useRead(
    ["triggers", "of task", taskId],
    (signal) => client.triggers.list({ target_task_id: taskId, limit: 50 }, { signal }),
    { kinds: ["trigger", "task"] },
  );
  const watchers = useRead(
    ["watchers", "of task", taskId],
    (signal) => client.watchers.list({ target_task_id: taskId, limit: 50 }, { signal }),
    { kinds: ["filesystem_watcher", "task"] },
  );
  const isEmpty = triggers.data?.triggers.length === 0 && watchers.data?.filesystem_watchers.length === 0;
  return (
    <Section title="Triggers and watchers">
      {isEmpty && <p className="text-muted">No key and no change of a file starts this task.</p>}
      <Shown read={triggers}>
        {({ triggers: found }) => (
          <ul>
            {found.map((trigger) => (
              <li key={trigger.id} className="flex h-8 items-center gap-4 border-b">
                <Status kind={describeTrigger(trigger).kind}>{describeTrigger(trigger).word}</Status>
                <Link to="/triggers/$triggerId" params={{ triggerId: trigger.id }}>
                  {trigger.name}
                </Link>
                <span className="ml-auto text-muted">key {trigger.key_prefix}…</span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <Shown read={watchers}>
        {({ filesystem_watchers: found }) => (
          <ul>
            {found.map((watcher) => (
              <li key={watcher.id} className="flex h-8 items-center gap-4 border-b">
                <Status kind={describeWatcher(watcher).kind} title={describeWatcher(watcher).text}>
                  {describeWatcher(watcher).word}
                </Status>
                <Link to="/watchers/$watcherId" params={{ watcherId: watcher.id }}>
                  {watcher.name}
                </Link>
                <code className="ml-auto truncate">{watcher.path}</code>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      {mayHere("manage") && (
        <p className="flex gap-4">
          <Link to="/triggers/new" search={{ task: taskId }} className="link">
            New trigger
          </Link>
          <Link to="/watchers/new" search={{ task: taskId }} className="link">
            New watcher
          </Link>
        </p>
      )}
    </Section>
  );
}
