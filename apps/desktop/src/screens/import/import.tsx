import type { ImportResult } from "@belfry/client";
import { type CheckedPlan, type CrontabPlan, linesMax } from "@belfry/crontab";
import { limits } from "@belfry/contract";
import { type ReactNode, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CheckField } from "../../components/fields.tsx";
import { Page, Section } from "../../components/page.tsx";
import { ChangeProblem, NotAllowed, OnlyThere } from "../../components/states.tsx";
import { isKnownDone, useChange } from "../../data/change.ts";
import { useGroupNames } from "../../data/groups.ts";
import { useGrant } from "../../data/grant.ts";
import { useLate } from "../../data/late.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";
import { useLeaveGuard } from "../edit/leave-guard.ts";
import { checkDraft, type Draft, emptyDraft, linesOf, planOf } from "./draft.ts";
import { DraftForm } from "./draft-form.tsx";
import { FoundImport, Imported } from "./import-result.tsx";
import { LineReport } from "./line-report.tsx";

/** A crontab becomes tasks: first what becomes of each line, then the import. */
export function ImportPage(): ReactNode {
  const { profile } = useSession();
  const { may, capability } = useGrant();
  const [number, setNumber] = useState(1);
  return (
    <Page title="Import a crontab">
      {capability !== null && !may("manage") ? (
        <NotAllowed needs="manage" what="Importing" />
      ) : profile !== "local" ? (
        <OnlyThere does="takes an import" command="crontab -l | belfry import crontab - --dry-run" />
      ) : (
        <Importer key={number} onMore={() => setNumber(number + 1)} />
      )}
    </Page>
  );
}

/** One import, from the text to its result. */
function Importer({ onMore }: { readonly onMore: () => void }): ReactNode {
  const { client } = useSession();
  const groups = useGroupNames();
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [skips, setSkips] = useState(false);
  /** What the daemon said, and of which draft. */
  const [checked, setChecked] = useState<{ readonly draft: Draft; readonly found: CheckedPlan } | null>(null);
  const check = useChange(
    (asked: Draft) => checkDraft(client, asked),
    (found, asked) => setChecked({ draft: asked, found }),
  );
  const [made, setMade] = useState<ImportResult | null>(null);
  const importAll = useChange((plan: CrontabPlan) => client.import.create(plan.body), setMade);
  const isDone = made !== null || isKnownDone(importAll);
  useLeaveGuard(
    draft.text.trim() !== "" && !isDone,
    importAll.isPending || importAll.mayBeDone
      ? "Leave without knowing whether the crontab was imported?"
      : "Leave without importing the crontab?",
  );
  const change = (part: Partial<Draft>): void => {
    check.reset();
    // what may have been imported is not forgotten: the next import could be a second one
    if (!importAll.mayBeDone) importAll.reset();
    setDraft({ ...draft, ...part });
  };
  const written = useLate(draft, 150);
  const lines = useMemo(() => linesOf(written), [written]);
  const isTooLong = lines.length > linesMax;
  const guessed = useMemo(() => (isTooLong ? null : planOf(written, lines)), [written, lines, isTooLong]);
  const found = checked?.draft === draft ? checked.found : null;
  const isChecked = found?.kind === "accepted";
  const plan = found?.plan ?? guessed;
  const refused = plan?.report.filter(({ outcome }) => outcome === "refused").length ?? 0;
  const jobs = plan?.taskLines.length ?? 0;
  const isEmpty = written.text.trim() === "";
  const rejection = found?.kind === "rejected" ? found.rejection : null;
  const isOfGroup = rejection?.field === "groups.0.name";
  const mayImport = isChecked && jobs > 0 && (refused === 0 || skips);
  if (made !== null) return <Imported result={made} onMore={onMore} />;
  if (isDone) return <FoundImport change={importAll} onMore={onMore} />;
  return (
    <form
      className="flex max-w-4xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChecked) check.run(draft);
        else if (mayImport && plan !== null) importAll.run(plan);
      }}
    >
      <DraftForm draft={draft} onChange={change} groupError={isOfGroup ? rejection.message : null} groups={groups} />
      {isTooLong && (
        <p role="alert" className="text-failure">
          The crontab has {count(lines.length, "line")}. The maximum is {count(linesMax, "line")}, as in cron. Split it.
        </p>
      )}
      {plan !== null && !isEmpty && (
        <Section title="Line by line" act={<span className="text-muted">{summaryOf(plan, refused)}</span>}>
          <LineReport plan={plan} text={written.text} />
        </Section>
      )}
      {refused > 0 && jobs > 0 && (
        <CheckField
          label={`Import without the ${count(refused, "refused line")}`}
          hint="Otherwise, fix the crontab first: nothing is imported."
          checked={skips}
          onChange={(event) => setSkips(event.target.checked)}
        />
      )}
      {rejection !== null && !isOfGroup && (
        <p role="alert" className="text-failure">
          {rejection.message}
        </p>
      )}
      {found?.kind === "too_many" && (
        <p role="alert" className="text-failure">
          The crontab has {count(found.plan.taskLines.length, "job")}. The maximum for one import is{" "}
          {limits.importItemsMax}. Split it, and import each part into a group of its own.
        </p>
      )}
      <ChangeProblem change={check} />
      <ChangeProblem change={importAll} />
      <div className="flex flex-wrap items-center gap-3">
        {isChecked ? (
          <Button
            type="submit"
            look="primary"
            isBusy={importAll.isPending}
            disabled={!mayImport || importAll.mayBeDone}
          >
            Import {count(jobs, "task")}
          </Button>
        ) : (
          <Button type="submit" look="primary" isBusy={check.isPending} disabled={jobs === 0 || isTooLong}>
            Check
          </Button>
        )}
        <p className="text-muted">
          {isChecked
            ? "The daemon has checked it, and nothing is imported yet."
            : "The daemon checks everything before anything is imported."}
        </p>
      </div>
    </form>
  );
}

function summaryOf({ taskLines }: CrontabPlan, refused: number): string {
  const jobs = count(taskLines.length, "task");
  return refused === 0 ? jobs : `${jobs}, ${count(refused, "refused line")}`;
}
