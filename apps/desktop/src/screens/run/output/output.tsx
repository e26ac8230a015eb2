import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useKeys } from "../../../app/keys.ts";
import { Section } from "../../../components/page.tsx";
import { Problem, SkeletonRows } from "../../../components/states.tsx";
import { useChange } from "../../../data/change.ts";
import { useConnection } from "../../../data/connection.ts";
import { isConnectionError } from "../../../data/errors.ts";
import { useLate } from "../../../data/late.ts";
import { changePreferences, currentPreferences } from "../../../data/preferences.ts";
import { useSession } from "../../../data/session.tsx";
import { count, formatBytes } from "../../../data/words.ts";
import { Lines } from "./lines.tsx";
import { OutputBar } from "./output-bar.tsx";
import { saveBytes } from "./save-bytes.ts";
import { useFind } from "./use-find.ts";
import { type LiveOutput, useOutput } from "./use-output.ts";

const route = getRouteApi("/runs/$runId");

export interface OutputProps {
  readonly runId: string;
  readonly attempt: number;
  /** Whether the run has not ended. */
  readonly isLive: boolean;
  /** What the run says that this attempt wrote, once it has ended; 0 if that is not known. */
  readonly wroteBytes: number;
  /** The begin of the name of a downloaded file. */
  readonly name: string;
}

/** The output of an attempt: live, with colours, searched, and linked by line. */
export function Output({ runId, attempt, isLive, wroteBytes, name }: OutputProps): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/runs/$runId" });
  const [again, setAgain] = useState(0);
  const output = useOutput({ runId, attempt, isLive, again });
  const [text, setText] = useState(search.find ?? "");
  const needle = useLate(text, 120);
  const find = useFind(output, needle.toLowerCase());
  const searchField = useRef<HTMLInputElement>(null);
  const line = lineOf(search.line);
  // a link to a line, or a search, is where to look; else the newest line is
  const [isFollowing, setFollowing] = useState(line === null);
  const [goal, setGoal] = useState<{ readonly line: number } | null>(line === null ? null : { line });
  useEffect(() => {
    if ((search.find ?? "") !== needle)
      void navigate({
        replace: true,
        resetScroll: false,
        search: ({ find: _, ...rest }) => (needle === "" ? rest : { ...rest, find: needle }),
      });
  }, [needle, search.find, navigate]);
  const show = (wanted: number): void => {
    setFollowing(false);
    setGoal({ line: wanted });
  };
  const move = (step: 1 | -1): void => {
    const place = find.move(step);
    if (place !== null) show(place.line);
  };
  // another line in the address is where to look, unless it was marked here: then it is in sight
  const knownLine = useRef(line);
  useEffect(() => {
    if (line !== null && line !== knownLine.current) show(line);
    knownLine.current = line;
  }, [line]);
  // the first place of a new search is shown at once, but a link to a line comes before it
  const shownFor = useRef(line === null ? "" : needle);
  useEffect(() => {
    if (needle === shownFor.current || find.current === null) return;
    shownFor.current = needle;
    show(find.current.line);
  }, [needle, find.current]);
  const download = useChange(async (stream: "stdout" | "stderr") => {
    const bytes = await client.runs.outputBytes(runId, { attempt, stream });
    saveBytes(bytes, `${name}-attempt-${attempt}.${stream}.txt`);
  });
  useKeys([
    { key: "/", text: "Search the output", act: () => searchField.current?.focus() },
    { key: "n", text: "Go to the next place", act: () => move(1) },
    { key: "N", text: "Go to the previous place", act: () => move(-1) },
    { key: "f", text: "Follow the output", act: () => setFollowing(true) },
    {
      key: "w",
      text: "Wrap long lines",
      act: () => changePreferences({ wrapsOutput: !currentPreferences().wrapsOutput }),
    },
  ]);
  const mark = useMemo(
    () =>
      (marked: number): void => {
        knownLine.current = marked;
        void navigate({
          replace: true,
          resetScroll: false,
          search: (former) => ({ ...former, attempt: String(attempt), line: String(marked) }),
        });
      },
    [navigate, attempt],
  );
  // after an outage, what could not be read is read by itself
  const isReachable = useConnection().is === "live";
  const wasReachable = useRef(isReachable);
  useEffect(() => {
    if (isReachable && !wasReachable.current && isConnectionError(output.error)) setAgain((times) => times + 1);
    wasReachable.current = isReachable;
  }, [isReachable, output.error]);
  const { store } = output;
  const mayGrow = isLive && output.is === "reading";
  return (
    <Section
      title={store.lineCount === 0 ? "Output" : `Output (${count(store.lineCount, "line")})`}
      act={<span className="text-muted">{mayGrow ? "Live" : null}</span>}
    >
      <OutputBar
        text={text}
        onText={setText}
        find={find}
        onMove={move}
        isLive={mayGrow}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        searchField={searchField}
        downloads={(["stdout", "stderr"] as const).map((stream) => ({
          label: `Download ${stream}`,
          onSelect: () => download.run(stream),
        }))}
      />
      {/* it only reads, so nothing that was not sent has to be sent again */}
      {download.state.is === "failed" && <Problem error={download.state.error} />}
      {output.is === "failed" && <Problem error={output.error} again={() => setAgain(again + 1)} />}
      {store.isEmpty ? (
        <NoLines is={output.is} isLive={isLive} wroteBytes={wroteBytes} />
      ) : (
        <Lines
          output={output}
          find={find}
          needle={needle.toLowerCase()}
          marked={line}
          goal={goal}
          isFollowing={isFollowing}
          onFollow={setFollowing}
          onMark={mark}
          address={`#/runs/${runId}?attempt=${attempt}&line=`}
        />
      )}
    </Section>
  );
}

/** The line of an address; null where it names none. */
function lineOf(text: string | undefined): number | null {
  const line = Number(text);
  return Number.isInteger(line) && line >= 1 ? line : null;
}

function NoLines({
  is,
  isLive,
  wroteBytes,
}: Pick<LiveOutput, "is"> & Pick<OutputProps, "isLive" | "wroteBytes">): ReactNode {
  if (is === "failed") return null;
  if (is === "reading")
    return (
      <>
        {isLive && <p className="text-muted">There is no output so far.</p>}
        <SkeletonRows rows={3} />
      </>
    );
  if (wroteBytes === 0) return <p className="text-muted">There is no output of this attempt.</p>;
  return (
    <p className="text-muted">
      This attempt wrote {formatBytes(wroteBytes)}, which Belfry does not have any more: the data comes from a backup
      without output, or the files were removed.
    </p>
  );
}
