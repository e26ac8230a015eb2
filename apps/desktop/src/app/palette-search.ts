import type { Run } from "@belfry/client";
import { useGrant } from "../data/grant.ts";
import { useLate } from "../data/late.ts";
import { useZone } from "../data/preferences.ts";
import { useRead } from "../data/read.ts";
import { runStateWord } from "../data/run-words.ts";
import { useSession } from "../data/session.tsx";
import { formatTime } from "../data/words.ts";
import { type KeyAct, usePageActs } from "./keys.ts";
import { matchesAct, matchesWords } from "./match-words.ts";
import { useNamed } from "./palette-names.ts";
import { problemOf, type Searched } from "./palette-problem.ts";
import { useFoundRuns } from "./palette-runs.ts";
import { places } from "./places.ts";

export interface Found {
  readonly value: string;
  readonly name: string;
  /** What it is. */
  readonly note: string;
  readonly keys?: string | undefined;
  /** The address of its page, or an act of the page that is shown. Null leads nowhere. */
  readonly leads: string | KeyAct | null;
}

const tasksMax = 12;

/** Stands before acts that change something at once, where nothing else was found: the first of what is found is selected. */
const nothing: Found = { value: "nothing", name: "Do nothing", note: "back to the page", leads: null };

export interface FoundAll {
  readonly found: readonly Found[];
  readonly isSearching: boolean;
  /** Says what could not be searched. */
  readonly problem: string | null;
}

/** What a text finds: acts of the page, tasks and their runs, other things with a name, screens, and other acts. */
export function useFound(text: string): FoundAll {
  const typed = text.trim();
  const asked = useLate(typed, 120);
  const { client } = useSession();
  const zone = useZone();
  const read = useRead(
    ["palette", "tasks", asked],
    (signal) => client.tasks.list({ limit: tasksMax, ...(asked === "" ? {} : { q: asked }) }, { signal }),
    { kinds: ["task"], keepsFormer: true },
  );
  // until the daemon has answered, what is shown is of the former text: Enter must not open it
  const tasks = (read.data?.tasks ?? []).filter(
    ({ name }) => (asked === typed && !read.isFormer) || matchesWords(name, typed),
  );
  const runs = useFoundRuns(asked, asked === typed ? tasks[0]?.id : undefined);
  const things = useNamed(asked);
  const named = things.named.filter(({ name }) => matchesWords(name, typed));
  const acts = useActs(typed);
  const screens = places
    .filter(({ name }) => matchesWords(name, typed))
    .map(({ to, name, keys }) => ({ value: `screen ${name}`, name, note: "screen", keys, leads: to }));
  const tasksFound = tasks.map(({ id, name, group_name }) => ({
    value: `task ${id}`,
    name,
    note: group_name ?? "task",
    leads: `/tasks/${id}`,
  }));
  const harmless: readonly Found[] =
    typed === ""
      ? [...screens, ...tasksFound, ...acts.ofPage, ...acts.others]
      : [
          ...runs.byId.map((run) => runFound(run, run.id)),
          ...acts.ofPage,
          ...tasksFound,
          ...runs.ofTask.map((run) => runFound(run, formatTime(Date.parse(run.queued_at), zone))),
          ...named,
          ...screens,
          ...acts.others,
        ];
  const guard = harmless.length === 0 && acts.atOnce.length > 0 ? [nothing] : [];
  const searched: readonly Searched[] = [{ what: "tasks", read }, ...runs.searched, ...things.searched];
  return {
    found: [...guard, ...harmless, ...acts.atOnce],
    isSearching: asked !== typed || searched.some((one) => one.read.isReading),
    problem: problemOf(searched),
  };
}

function runFound(run: Run, note: string): Found {
  return {
    value: `run ${run.id}`,
    name: `${run.task_name}: ${runStateWord(run).toLowerCase()}`,
    note: `run, ${note}`,
    leads: `/runs/${run.id}`,
  };
}

interface FoundActs {
  /** Acts of the page that ask before they change something, or change nothing. */
  readonly ofPage: readonly Found[];
  /** Those that do not ask. */
  readonly atOnce: readonly Found[];
  readonly others: readonly Found[];
}

function useActs(typed: string): FoundActs {
  const { may, mayHere } = useGrant();
  const page = document.querySelector("main h1")?.textContent ?? "";
  const shown = usePageActs().filter(({ text }) => matchesAct({ text, page }, typed));
  const others = [
    { name: "New task", to: "/tasks/new", isAllowed: may("manage") },
    { name: "New trigger", to: "/triggers/new", isAllowed: mayHere("manage") },
    { name: "New watcher", to: "/watchers/new", isAllowed: mayHere("manage") },
    { name: "New channel", to: "/channels/new", isAllowed: mayHere("manage") },
    { name: "Import a crontab", to: "/import", isAllowed: may("manage") },
  ].filter(({ name, isAllowed }) => isAllowed && matchesWords(name, typed) && !shown.some(({ text }) => text === name));
  const found = (act: KeyAct): Found => ({
    value: `act of page ${act.text}`,
    name: act.text,
    note: page,
    keys: act.key,
    leads: act,
  });
  return {
    ofPage: shown.filter(({ isAtOnce }) => isAtOnce !== true).map(found),
    atOnce: shown.filter(({ isAtOnce }) => isAtOnce === true).map(found),
    others: others.map(({ name, to }) => ({ value: `act ${name}`, name, note: "action", leads: to })),
  };
}
