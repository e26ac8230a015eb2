import { eventKindsOf } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { describeTrigger } from "../triggers/trigger-words.ts";
import { describeWatcher } from "../watchers/watcher-words.ts";

const idOf = ({ id }: { readonly id: string }): string => id;
const gone = { kind: "off", word: "Gone", text: "It no longer starts this task." } as const;

/** The triggers and watchers that start the task. */
export function Starters({ taskId }: { readonly taskId: string }): ReactNode {
  const { client } = useSession();
  const { mayHere } = useGrant();
  const triggers = useRead(
    ["triggers", "of task", taskId],
    (signal) => client.triggers.list({ target_task_id: taskId, limit: 50 }, { signal }),
    { kinds: eventKindsOf("triggers") },
  );
  const watchers = useRead(
    ["watchers", "of task", taskId],
    (signal) => client.watchers.list({ target_task_id: taskId, limit: 50 }, { signal }),
    { kinds: eventKindsOf("watchers") },
  );
  const triggerRows = useSteadyRows(triggers.data?.triggers ?? null, {
    idOf,
    question: taskId,
    isCut: triggers.data !== null && triggers.data.next_cursor !== null,
  });
  const watcherRows = useSteadyRows(watchers.data?.filesystem_watchers ?? null, {
    idOf,
    question: taskId,
    isCut: watchers.data !== null && watchers.data.next_cursor !== null,
  });
  const isEmpty = triggers.data?.triggers.length === 0 && watchers.data?.filesystem_watchers.length === 0;
  return (
    <Section title="Triggers and watchers">
      {isEmpty && <p className="text-muted">No key and no change of a file starts this task.</p>}
      <Shown read={triggers}>
        {() => (
          <Rows steady={triggerRows} idOf={idOf} rowClassName="flex h-8 items-center gap-4 border-b">
            {(trigger, isGone) => {
              const { kind, word } = isGone ? gone : describeTrigger(trigger);
              return (
                <>
                  <Status kind={kind}>{word}</Status>
                  <Link to="/triggers/$triggerId" params={{ triggerId: trigger.id }}>
                    {trigger.name}
                  </Link>
                  <span className="ml-auto text-muted">key {trigger.key_prefix}…</span>
                </>
              );
            }}
          </Rows>
        )}
      </Shown>
      <Shown read={watchers}>
        {() => (
          <Rows steady={watcherRows} idOf={idOf} rowClassName="flex h-8 items-center gap-4 border-b">
            {(watcher, isGone) => {
              const { kind, word, text } = isGone ? gone : describeWatcher(watcher);
              return (
                <>
                  <Status kind={kind} title={text}>
                    {word}
                  </Status>
                  <Link to="/watchers/$watcherId" params={{ watcherId: watcher.id }}>
                    {watcher.name}
                  </Link>
                  <code className="ml-auto truncate">{watcher.path}</code>
                </>
              );
            }}
          </Rows>
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
