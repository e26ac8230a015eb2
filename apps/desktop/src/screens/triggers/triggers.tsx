import { eventKindsOf, type Trigger } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAddressText } from "../../app/address-text.ts";
import { withMember } from "../../app/search.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/fields.tsx";
import { TaskChip } from "../../components/filter-chip.tsx";
import { List } from "../../components/list.tsx";
import { Page } from "../../components/page.tsx";
import { FirstUse } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { useGrant } from "../../data/grant.ts";
import { useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { describeTrigger } from "./trigger-words.ts";

const route = getRouteApi("/triggers");

/** Keys that run one task each. */
export function Triggers(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/triggers" });
  const { mayHere } = useGrant();
  const {
    text,
    setText,
    asked: q,
  } = useAddressText(
    search.text,
    (value) => void navigate({ search: (former) => withMember(former, "text", value), replace: true }),
  );
  const question = {
    ...(q === "" ? {} : { q }),
    ...(search.task === undefined ? {} : { target_task_id: search.task }),
  };
  const read = useReadPages(
    ["triggers", question],
    async (cursor, signal) => {
      const page = await client.triggers.list({ ...question, limit: 100, cursor }, { signal });
      return { items: page.triggers, next: page.next_cursor };
    },
    { kinds: eventKindsOf("triggers") },
  );
  const add = mayHere("manage") && (
    <Button
      look="primary"
      onClick={() =>
        void navigate({ to: "/triggers/new", search: search.task === undefined ? {} : { task: search.task } })
      }
    >
      New trigger
    </Button>
  );
  const isFirstUse = read.data?.length === 0 && Object.keys(question).length === 0;
  return (
    <Page
      title="Triggers"
      act={isFirstUse ? null : add}
      filters={
        <>
          <TextField
            label="Search triggers"
            isLabelHidden
            type="search"
            placeholder="Name of a trigger"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {search.task !== undefined && (
            <TaskChip
              id={search.task}
              onRemove={() => void navigate({ search: (former) => withMember(former, "task", undefined) })}
            />
          )}
        </>
      }
    >
      <List
        label="Triggers"
        columns={columns}
        read={read}
        filtered={Object.keys(question).length === 0 ? null : "No trigger matches these filters."}
        empty={
          <FirstUse title="No triggers yet" act={add} command="belfry trigger add Deploy --task TASK">
            A trigger is a secret key that runs one task: for a CI job, another user, or another program.
          </FirstUse>
        }
        idOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: "/triggers/$triggerId", params: { triggerId: id } })}
      />
    </Page>
  );
}

const columns: readonly Column<Trigger>[] = [
  {
    name: "Trigger",
    width: "2fr",
    cell: ({ id, name, set_name }) => (
      <Link to="/triggers/$triggerId" params={{ triggerId: id }} tabIndex={-1}>
        {set_name !== undefined && <span className="text-muted">{set_name} / </span>}
        {name}
      </Link>
    ),
  },
  {
    name: "State",
    width: "136px",
    cell: (trigger) => {
      const { kind, word, text } = describeTrigger(trigger);
      return (
        <Status kind={kind} title={text}>
          {word}
        </Status>
      );
    },
  },
  {
    name: "Task",
    width: "1fr",
    cell: ({ target_task_id, target_task_name }) => <TaskLink id={target_task_id} name={target_task_name} />,
  },
  { name: "Key", width: "120px", isWide: true, cell: ({ key_prefix }) => <code>{key_prefix}…</code> },
  { name: "Fired", width: "64px", isNumber: true, cell: ({ fire_count }) => fire_count.toLocaleString("en") },
  {
    name: "Last",
    width: "88px",
    isNumber: true,
    cell: ({ last_fired_at }) => (last_fired_at === null ? null : <Time at={last_fired_at} />),
  },
];
