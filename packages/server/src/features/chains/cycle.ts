/** The chains as a graph of tasks, read a page of neighbours at a time, in ascending order of their ids. */
export interface Graph {
  readonly targetsOf: ReadNeighbours;
  readonly sourcesOf: ReadNeighbours;
}
/** The neighbours after this one; fewer than `neighboursAtOnce` where no more follow. */
type ReadNeighbours = (taskId: string, after: string) => readonly string[];

export const neighboursAtOnce = 64;

/** Steps from chain to chain that are taken one by one; beyond, reading all chains at once costs less. */
const nearSteps = 100;

/**
 * The way along the chains from one task to another, both included, or null. Walks down from the one and up from the
 * other in turn, a page each, and ends when either has seen all there is: so a chain at an edge of a graph, however
 * large, costs a step or two.
 */
export function findWay(graph: Graph, from: string, to: string): readonly string[] | null {
  return search(graph, { from, to, stepsMax: Number.POSITIVE_INFINITY }).way;
}

/** The same for a graph that is read as it is walked: `isFar` where that would take too many steps. */
export function findNearWay(graph: Graph, from: string, to: string): Found {
  return search(graph, { from, to, stepsMax: nearSteps });
}

interface Found {
  readonly way: readonly string[] | null;
  readonly isFar: boolean;
}

function search(
  graph: Graph,
  { from, to, stepsMax }: { readonly from: string; readonly to: string; readonly stepsMax: number },
): Found {
  if (from === to) return { way: [from], isFar: false };
  const down = createWalk(graph.targetsOf, from);
  const up = createWalk(graph.sourcesOf, to);
  for (let steps = 0; !down.isDone() && !up.isDone(); steps++) {
    if (steps === stepsMax) return { way: null, isFar: true };
    const met = down.step(up.hasSeen) ?? up.step(down.hasSeen);
    if (met !== null) return { way: [...down.wayTo(met).reverse(), ...up.wayTo(met).slice(1)], isFar: false };
  }
  return { way: null, isFar: false };
}

/** A graph that was read as a whole: where the way is far, that costs less than its steps. */
export function graphOf(edges: readonly Edge[]): Graph {
  return {
    targetsOf: pagesOf(
      Map.groupBy(edges, ([source]) => source),
      ([, target]) => target,
    ),
    sourcesOf: pagesOf(
      Map.groupBy(edges, ([, target]) => target),
      ([source]) => source,
    ),
  };
}

type Edge = readonly [source: string, target: string];

function pagesOf(edges: ReadonlyMap<string, readonly Edge[]>, endOf: (edge: Edge) => string): ReadNeighbours {
  const sorted = new Map<string, readonly string[]>();
  const neighboursOf = (id: string): readonly string[] => {
    const known = sorted.get(id);
    if (known !== undefined) return known;
    const own = [...new Set((edges.get(id) ?? []).map(endOf))].sort();
    sorted.set(id, own);
    return own;
  };
  return (id, after) => {
    const all = neighboursOf(id);
    const start = after === "" ? 0 : all.indexOf(after) + 1;
    return all.slice(start, start + neighboursAtOnce);
  };
}

function createWalk(read: ReadNeighbours, start: string) {
  /** Each task that was seen, and the one it was seen from. */
  const cameFrom = new Map<string, string | null>([[start, null]]);
  const waiting = [start];
  let first = 0;
  let after = "";

  return {
    isDone: (): boolean => first === waiting.length,
    hasSeen: (id: string): boolean => cameFrom.has(id),
    /** Reads one page; answers a neighbour that the other walk has seen. */
    step: (isMet: (id: string) => boolean): string | null => {
      if (first === waiting.length) return null;
      const here = waiting[first]!;
      const page = read(here, after);
      for (const next of page) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, here);
        if (isMet(next)) return next;
        waiting.push(next);
      }
      const isLast = page.length < neighboursAtOnce;
      if (isLast) first++;
      after = isLast ? "" : page.at(-1)!;
      return null;
    },
    /** From a task that was seen back to where the walk began. */
    wayTo: (id: string): string[] => {
      const way: string[] = [];
      for (let here: string | null = id; here !== null; here = cameFrom.get(here) ?? null) way.push(here);
      return way;
    },
  };
}
