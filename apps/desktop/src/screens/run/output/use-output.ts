import { useEffect, useRef, useState } from "react";
import { useSession } from "../../../data/session.tsx";
import { LineStore } from "./line-store.ts";

/** The output of one attempt, as far as it was read. A new object each time that more was read. */
export interface LiveOutput {
  readonly store: LineStore;
  readonly is: "reading" | "ended" | "failed";
  readonly error: unknown;
}

/** Under a flood of output, the page is drawn this often at most. */
const drawMs = 80;

export interface OutputQuestion {
  readonly runId: string;
  readonly attempt: number;
  /** Whether the run has not ended: then more output may follow, for as long as it takes. */
  readonly isLive: boolean;
  /** Another number reads the output anew. */
  readonly again: number;
}

/** Reads the output of an attempt, to its end. While the run is live, it goes on by itself after a broken connection. */
export function useOutput({ runId, attempt, isLive, again }: OutputQuestion): LiveOutput {
  const { client } = useSession();
  // a run that ends meanwhile is followed to its end all the same
  const follow = useRef(isLive);
  follow.current = isLive;
  const [output, setOutput] = useState<LiveOutput>(nothing);
  useEffect(() => {
    const end = new AbortController();
    const store = new LineStore();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (is: LiveOutput["is"], error: unknown = null): void => {
      clearTimeout(timer);
      timer = undefined;
      if (!end.signal.aborted) setOutput({ store, is, error });
    };
    const read = async (): Promise<void> => {
      for await (const item of client.runs.output(runId, { attempt, follow: follow.current }, { signal: end.signal })) {
        store.add(item);
        timer ??= setTimeout(() => draw("reading"), drawMs);
      }
    };
    draw("reading");
    void read().then(
      () => draw("ended"),
      (error: unknown) => draw("failed", error),
    );
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [client, runId, attempt, again]);
  return output;
}

function nothing(): LiveOutput {
  return { store: new LineStore(), is: "reading", error: null };
}
