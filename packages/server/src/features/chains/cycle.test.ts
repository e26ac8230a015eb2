import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { findNearPath, findPath, type Graph, graphOf, neighboursPerPage } from "./cycle.ts";

type Edge = readonly [source: string, target: string];

/** A graph over plain edges, which counts the pages that are read. */
function countingGraph(edges: readonly Edge[]): Graph & { readonly pages: () => number } {
  const down = neighbours(edges);
  const up = neighbours(edges.map(([source, target]) => [target, source]));
  let pages = 0;
  const read = (all: ReadonlyMap<string, readonly string[]>) => (id: string, after: string) => {
    pages++;
    return (all.get(id) ?? []).filter((next) => next > after).slice(0, neighboursPerPage);
  };
  return { targetsOf: read(down), sourcesOf: read(up), pages: () => pages };
}

function neighbours(edges: readonly Edge[]): ReadonlyMap<string, readonly string[]> {
  const grouped = Map.groupBy(edges, ([from]) => from);
  return new Map([...grouped].map(([from, own]) => [from, [...new Set(own.map(([, to]) => to))].sort()]));
}

const line = (length: number): Edge[] => Array.from({ length }, (_, index) => [`t${index}`, `t${index + 1}`] as const);

describe("the path from one task to another", () => {
  test("lists the tasks along it, including both ends", () => {
    expect(findPath(countingGraph(line(5)), "t1", "t4")).toEqual(["t1", "t2", "t3", "t4"]);
    expect(findPath(countingGraph([["a", "b"]]), "a", "b")).toEqual(["a", "b"]);
    expect(findPath(countingGraph([]), "a", "a")).toEqual(["a"]);
  });

  test("is null if no path exists, or only a path against the direction", () => {
    expect(findPath(countingGraph(line(5)), "t4", "t1")).toBeNull();
    expect(findPath(countingGraph([]), "a", "b")).toBeNull();
  });

  test("is found in a few steps at either end of a line or a fan of ten thousand", () => {
    for (const [from, to] of [
      ["new", "t0"],
      ["t10000", "new"],
      ["new", "t5000"],
      ["t5000", "new"],
    ] as const) {
      const graph = countingGraph(line(10_000));
      expect(findPath(graph, from, to)).toBeNull();
      expect(graph.pages()).toBeLessThanOrEqual(2);
    }
    const fan = Array.from({ length: 10_000 }, (_, index) => ["hub", `t${index}`] as const);
    for (const [from, to] of [
      ["hub", "new"],
      ["new", "hub"],
      ["t7", "new"],
    ] as const) {
      const graph = countingGraph(fan);
      expect(findPath(graph, from, to)).toBeNull();
      expect(graph.pages()).toBeLessThanOrEqual(2);
    }
  });

  test("is reported as far if it is long, and a search of the whole graph finds it", () => {
    const edges = line(10_000);
    expect(findNearPath(countingGraph(edges), "t0", "t10000")).toEqual({ path: null, isFar: true });
    expect(findPath(graphOf(edges), "t0", "t10000")).toHaveLength(10_001);
    expect(findPath(graphOf(edges), "t10000", "t0")).toBeNull();
    expect(findNearPath(countingGraph(edges), "t0", "t150").path).toHaveLength(151);
    expect(findNearPath(countingGraph(edges), "t5000", "t4000")).toEqual({ path: null, isFar: true });
    expect(findNearPath(countingGraph(edges), "t10000", "t0")).toEqual({ path: null, isFar: false });
  });

  test("is found among more neighbours than one page has", () => {
    const fan = Array.from({ length: 300 }, (_, index) => ["hub", `t${String(index).padStart(3, "0")}`] as const);
    expect(findPath(countingGraph([...fan, ["t299", "end"]]), "hub", "end")).toEqual(["hub", "t299", "end"]);
  });

  test("in any graph is found if and only if there is one, and each of its steps is a chain", () => {
    const task = fc.integer({ min: 0, max: 30 }).map((number) => `t${number}`);
    const edges = fc.array(fc.tuple(task, task), { maxLength: 80 });
    fc.assert(
      fc.property(edges, task, task, (all, from, to) => {
        const path = findPath(countingGraph(all), from, to);
        expect(path !== null).toBe(reaches(all, from, to));
        expect(findPath(graphOf(all), from, to)).toEqual(path);
        if (path === null) return;
        expect([path[0], path.at(-1)]).toEqual([from, to]);
        path.slice(1).forEach((next, index) => expect(all).toContainEqual([path[index], next]));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Adds reachable tasks until there are no more, and returns whether `to` is among them. */
function reaches(edges: readonly Edge[], from: string, to: string): boolean {
  const reached = new Set([from]);
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const [source, target] of edges) if (reached.has(source)) reached.add(target);
  }
  return reached.has(to);
}
