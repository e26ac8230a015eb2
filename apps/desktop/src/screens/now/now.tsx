import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAddressText } from "../../app/address-text.ts";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { FirstUse } from "../../components/states.tsx";
import { useGrant } from "../../data/grant.ts";
import { TimelinePanel } from "../../timeline/panel.tsx";
import { readRange, withRange } from "../../timeline/range-address.ts";
import { Failures } from "./failures.tsx";
import { HoldDialog } from "./hold-dialog.tsx";
import { Holds } from "./holds.tsx";
import { Overdue } from "./overdue.tsx";
import { RowKeys } from "./row-keys.tsx";
import { Running } from "./running.tsx";
import { DaemonLine } from "./daemon-line.tsx";

const route = getRouteApi("/");

/** What is running, what failed, and what comes next. */
export function Now(): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/" });
  const { may } = useGrant();
  const [isHolding, setIsHolding] = useState(false);
  const set = (change: Partial<Record<keyof typeof search, string | true | undefined>>): void =>
    void navigate({ search: (former) => clean({ ...former, ...change }), replace: true, resetScroll: false });
  const { text, setText, asked: q } = useAddressText(search.text, (value) => set({ text: value }));
  const label = useAddressText(search.label, (value) => set({ label: value }));
  const state = (["active", "failed", "disabled"] as const).find((name) => name === search.state);
  const isFiltered = q !== "" || label.asked !== "";
  return (
    <Page
      title="Now"
      status={<DaemonLine />}
      act={
        may("manage") && (
          <Button look="primary" onClick={() => void navigate({ to: "/tasks/new" })}>
            New task
          </Button>
        )
      }
      more={may("manage") && <MoreMenu acts={[{ label: "Hold all tasks", onSelect: () => setIsHolding(true) }]} />}
      filters={
        <>
          <TextField
            label="Search tasks"
            isLabelHidden
            type="search"
            placeholder="Name of a task"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <SelectField
            label="State"
            isLabelHidden
            value={search.state ?? ""}
            onChange={(event) => set({ state: event.target.value || undefined })}
          >
            <option value="">All tasks</option>
            <option value="active">Running or queued</option>
            <option value="failed">With failures</option>
            <option value="disabled">Disabled</option>
          </SelectField>
          <TextField
            label="Label"
            isLabelHidden
            placeholder="Label, as key:value"
            value={label.text}
            onChange={(event) => label.setText(event.target.value)}
          />
        </>
      }
    >
      <RowKeys />
      <HoldDialog group={null} isOpen={isHolding} onClose={() => setIsHolding(false)} />
      <Holds />
      <Running />
      <Failures />
      <Overdue />
      <TimelinePanel
        filter={{
          ...(q === "" ? {} : { q }),
          ...(label.asked === "" ? {} : { label: label.asked }),
          ...(state === undefined ? {} : { state }),
        }}
        {...readRange(search)}
        onChange={(change) =>
          void navigate({ search: (former) => withRange(former, change), replace: true, resetScroll: false })
        }
        empty={
          isFiltered || search.state !== undefined ? (
            <p className="text-muted">No task matches these filters.</p>
          ) : (
            <FirstUse
              title="No tasks yet"
              act={
                may("manage") && (
                  <Link to="/import" className="link">
                    Import your crontab
                  </Link>
                )
              }
              command="belfry task add hello --every 1m -- echo hello"
            >
              A task is a command with schedules. Its runs, past and coming, appear here on one line of time.
            </FirstUse>
          )
        }
      />
    </Page>
  );
}

function clean<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;
}
