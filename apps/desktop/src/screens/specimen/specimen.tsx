import { BelfryError, ConnectionError, UncertainOutcomeError } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { Confirm, Dialog } from "../../components/dialog.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../../components/fields.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { OutcomeBars } from "../../components/outcome-bars.tsx";
import { Facts, Page, Section } from "../../components/page.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { ChangeProblem, FirstUse, NotAllowed, Problem, SkeletonRows, Stale } from "../../components/states.tsx";
import { Status, type StatusKind } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { Change } from "../../data/change.ts";
import { SteadySpecimen } from "./steady-specimen.tsx";
import { TimelineSpecimen } from "./timeline-specimen.tsx";
import { TreeSpecimen } from "./tree-specimen.tsx";

const kinds: readonly StatusKind[] = [
  "success",
  "failure",
  "running",
  "queued",
  "cancelled",
  "skipped",
  "attention",
  "ready",
  "off",
];
const looks = ["primary", "plain", "danger", "quiet"] as const;
interface Row {
  readonly id: string;
  readonly kind: StatusKind;
}
const columns: readonly Column<Row>[] = [
  { name: "Name", width: "2fr", cell: ({ id }) => id },
  { name: "State", width: "120px", cell: ({ kind }) => <Status kind={kind}>{kind}</Status> },
  { name: "When", width: "88px", isNumber: true, cell: () => <Time at={0} /> },
];
const nothing = (): void => {};
const uncertain: Change<readonly []> = {
  state: {
    is: "uncertain",
    found: null,
    error: new UncertainOutcomeError({
      operation: "tasks.create",
      idempotencyKey: null,
      cause: new BelfryError("The connection broke."),
      findOutcome: () => Promise.resolve("unknown"),
      retry: () => {
        throw new BelfryError("A specimen sends nothing.");
      },
    }),
  },
  isPending: false,
  mayBeDone: true,
  run: nothing,
  lookAgain: nothing,
  reset: nothing,
};

/** Every component in every state. Screens use nothing else. */
export function Specimen(): ReactNode {
  const [open, setOpen] = useState<"dialog" | "confirm" | null>(null);
  return (
    <Page
      title="Specimen"
      status={<Status kind="ready">Every component</Status>}
      act={<Button look="primary">The one act</Button>}
      more={
        <MoreMenu
          acts={[
            { label: "Another act", onSelect: nothing, keys: "e" },
            { label: "Delete", onSelect: nothing, isDanger: true },
          ]}
        />
      }
      filters={<TextField label="Search" isLabelHidden type="search" placeholder="Search" />}
    >
      <Section title="Type and colour">
        <p className="text-title">Title, 20 px</p>
        <p className="text-lead">Lead, 15 px</p>
        <p>
          Body, 13 px, with <code>what a machine said</code> and <kbd>a key</kbd>
        </p>
        <p className="text-small text-muted">Small and muted, 12 px</p>
        <div className="flex flex-wrap gap-2">
          {[
            "bg-page",
            "bg-surface",
            "bg-raised",
            "bg-hover",
            "bg-accent",
            "bg-success",
            "bg-failure",
            "bg-running",
            "bg-waiting",
            "bg-attention",
          ].map((name) => (
            <div key={name} className={`${name} size-8 rounded-sm border`} title={name} />
          ))}
        </div>
      </Section>
      <Section title="States in shape and words">
        <div className="flex flex-wrap gap-4">
          {kinds.map((kind) => (
            <Status key={kind} kind={kind}>
              {kind}
            </Status>
          ))}
        </div>
        <OutcomeBars
          outcomes={Array.from({ length: 20 }, (_, index) => ({
            id: String(index),
            outcome: index % 7 === 0 ? "failure" : "success",
          }))}
        />
      </Section>
      <Section title="Buttons">
        <div className="flex flex-wrap gap-2">
          {looks.map((look) => (
            <Button key={look} look={look}>
              {look}
            </Button>
          ))}
          <Button disabled>disabled</Button>
          <Button isBusy>busy</Button>
          <Button onClick={() => setOpen("dialog")}>Open a dialog</Button>
          <Button onClick={() => setOpen("confirm")}>Ask</Button>
        </div>
      </Section>
      <Section title="Fields">
        <div className="grid max-w-3xl gap-4 sm:grid-cols-2">
          <TextField label="A text" placeholder="An example" hint="What it does." />
          <TextField label="A wrong text" defaultValue="ten" error="timeout must be a length of time, such as 90s." />
          <SelectField label="A choice">
            <option>One</option>
            <option>Another</option>
          </SelectField>
          <TextArea label="A longer text" defaultValue="0 3 * * * /usr/local/bin/backup" />
          <CheckField label="A switch" hint="What it does." defaultChecked />
        </div>
      </Section>
      <Section title="Facts and text to copy">
        <Facts
          facts={[
            { name: "Name", value: "A value" },
            { name: "A longer name", value: <code>/usr/local/bin/backup --all</code> },
          ]}
        />
        <CopyText text="belfry task add hello --every 1m -- echo hello" />
        <QrCode text="https://localhost" label="A QR code" />
      </Section>
      <Section title="A table">
        <Table
          label="Specimens"
          columns={columns}
          rows={kinds.map((kind) => ({ id: `A row that is ${kind}`, kind }))}
          idOf={({ id }) => id}
          onOpen={nothing}
          acts={() => <Button look="quiet">Act</Button>}
        />
      </Section>
      <Section title="A tree">
        <TreeSpecimen />
      </Section>
      <Section title="Kept rows">
        <SteadySpecimen />
      </Section>
      <Section title="The timeline">
        <TimelineSpecimen />
      </Section>
      <Section title="States of a page">
        <FirstUse
          title="First use"
          act={<Button look="primary">What to do</Button>}
          command="belfry task add hello --every 1m -- echo hello"
        >
          Says what this is for.
        </FirstUse>
        <SkeletonRows rows={3} />
        <Problem
          error={new BelfryError("The daemon cannot write to its disk: it is full. Free some space.")}
          again={nothing}
        />
        <Problem error={new ConnectionError("The daemon does not answer.")} />
        <Stale read={{ error: new BelfryError("The last try failed."), readAt: 0, again: nothing }} />
        <NotAllowed needs="manage" what="Creating a task" />
        <ChangeProblem change={uncertain} />
      </Section>
      <Dialog title="A dialog" isOpen={open === "dialog"} onClose={() => setOpen(null)}>
        <p>What floats above the page.</p>
      </Dialog>
      <Confirm
        title="Delete the specimen?"
        act="Delete"
        isDanger
        nameToType="specimen"
        isOpen={open === "confirm"}
        onClose={() => setOpen(null)}
        onConfirm={() => setOpen(null)}
      >
        <p>It goes with 3 schedules and 1 chain, and cannot be brought back.</p>
      </Confirm>
    </Page>
  );
}
