import { eventKindsOf, type Why as WhyAnswer } from "@belfry/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { MomentField } from "../../components/moment-field.tsx";
import { Section } from "../../components/page.tsx";
import { Shown } from "../../components/states.tsx";
import { momentOf } from "../../data/dates.ts";
import { useZone } from "../../data/preferences.ts";
import { describeReadiness } from "../../data/readiness-words.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { formatTime } from "../../data/words.ts";

/** Why the task ran at a time, or did not. */
export function Why({ taskId, at }: { readonly taskId: string; readonly at: string | undefined }): ReactNode {
  const navigate = useNavigate({ from: "/tasks/$taskId" });
  const zone = useZone();
  const [typed, setTyped] = useState("");
  const isAsked = at !== undefined;
  const ask = (time: string): void =>
    void navigate({ search: (former) => ({ ...former, why: time }), resetScroll: false });
  return (
    <Section title="Why it ran, or did not">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const moment = momentOf(typed, zone);
          ask(moment === null ? "now" : new Date(moment).toISOString());
        }}
      >
        <MomentField label={`Time (${zone})`} value={typed} onChange={(event) => setTyped(event.target.value)} />
        <Button type="submit">{typed === "" ? "Explain now" : "Explain this time"}</Button>
      </form>
      {isAsked && <Answer taskId={taskId} at={at} />}
    </Section>
  );
}

const newRunTexts = {
  queue: "would wait",
  skip: "would be skipped",
  replace: "would replace the oldest",
} as const;

function Answer({ taskId, at }: { readonly taskId: string; readonly at: string }): ReactNode {
  const { client } = useSession();
  const zone = useZone();
  const read = useRead(
    ["why", taskId, at],
    (signal) => client.tasks.why(taskId, at === "now" ? {} : { at }, { signal }),
    { kinds: eventKindsOf("tasks") },
  );
  const place = useRef<HTMLDivElement>(null);
  const isAnswered = !read.isFormer && read.data !== null;
  // who asks from the timeline, at the head of the page, sees the answer; a later one to the same question moves nothing
  useEffect(() => {
    if (isAnswered) place.current?.scrollIntoView({ block: "nearest" });
  }, [at, isAnswered]);
  return (
    <Shown read={read}>
      {(why) => (
        <div ref={place} className="flex flex-col gap-2">
          <p>
            At {formatTime(Date.parse(why.at), zone)}. Now: {describeReadiness(why.reason).text}
            {why.readiness === "ready" &&
              why.limit !== null &&
              ` A new run ${newRunTexts[why.limit.new_run]}: ${why.limit.text}.`}
          </p>
          <ul>
            {decisionsOf(why).map(({ name, reason, runId }) => (
              <li key={`${name} ${reason}`} className="border-b py-1">
                <span className="font-medium">{name}: </span>
                {reason}
                {runId !== null && (
                  <>
                    {" "}
                    <Link to="/runs/$runId" params={{ runId }} className="link">
                      See the run
                    </Link>
                  </>
                )}
              </li>
            ))}
          </ul>
          {decisionsOf(why).length === 0 && <p className="text-muted">Nothing starts this task by itself.</p>}
        </div>
      )}
    </Shown>
  );
}

interface Decision {
  readonly name: string;
  readonly reason: string;
  readonly runId: string | null;
}

function decisionsOf({ schedules, chains, watchers, triggers, manual }: WhyAnswer): readonly Decision[] {
  return [
    ...schedules.map(({ schedule_name, reason, run_id }) => ({ name: schedule_name, reason, runId: run_id })),
    ...chains.map(({ source_task_name, reason, run_id }) => ({
      name: `After ${source_task_name}`,
      reason,
      runId: run_id,
    })),
    ...watchers.map(({ watcher_name, reason, run_id }) => ({ name: watcher_name, reason, runId: run_id })),
    ...triggers.map(({ trigger_name, reason, run_id }) => ({ name: trigger_name, reason, runId: run_id })),
    ...(manual === null ? [] : [{ name: "By hand", reason: manual.reason, runId: manual.run_id }]),
  ];
}
