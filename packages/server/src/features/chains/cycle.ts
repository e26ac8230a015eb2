/** The chains as a graph of tasks, read a page of neighbours at a time, in ascending order of their ids. */
export interface Graph {
  readonly targetsOf: ReadNeighbours;
  readonly sourcesOf: ReadNeighbours;
}
/** The neighbours after this one; fewer than `neighboursAtOnce` where no more follow. */
type ReadNeighbours = (taskId: string, after: string) => readonly string[];

export const neighboursAtOnce = 64;

/**
 * The way along the chains from one task to another, both included, or null. Walks down from the one and up from the
 * other in turn, a page each, and ends when either has seen all there is: so a chain at an edge of a graph, however
 * large, costs a step or two.
 */
export function findWay(graph: Graph, from: string, to: string): readonly string[] | null;
/** The same, but `far` where that took more steps than these. */
export function findWay(graph: Graph, from: string, to: string, stepsMax: number): readonly string[] | null | "far";
export function findWay(
  graph: Graph,
  from: string,
  to: string,
  stepsMax = Number.POSITIVE_INFINITY,
): readonly string[] | null | "far" {
  if (from === to) return [from];
  const down = createWalk(graph.targetsOf, from);
  const up = createWalk(graph.sourcesOf, to);
  for (let steps = 0; !down.isDone() && !up.isDone(); steps++) {
    if (steps === stepsMax) return "far";
    const met = down.step(up.hasSeen) ?? up.step(down.hasSeen);
    if (met !== null) return [...down.wayTo(met).reverse(), ...up.wayTo(met).slice(1)];
  }
  return null;
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
