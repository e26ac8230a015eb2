import { fileURLToPath } from "node:url";
import { allSources } from "./sources.ts";

/**
 * A miniature repository. The first lines of each file declare its violations: `// lint: rule(name) | words of its
 * message`, `// imports: words` or `// text: words`. A file without such a line has no violation.
 */
export const plantedProject = fileURLToPath(new URL("../fixtures/project", import.meta.url));

export type Check = "lint" | "imports" | "text";

export interface PlantedFile {
  readonly path: string;
  readonly expected: readonly string[];
}

export function plantedFiles(check: Check): readonly PlantedFile[] {
  const heading = `// ${check}: `;
  return allSources(plantedProject).map(({ path, text }) => {
    const lines = text.split("\n").filter((line) => line.startsWith(heading));
    return { path, expected: lines.map((line) => line.slice(heading.length)) };
  });
}

/** Pairs each expectation with a finding that contains all its parts. Returns both kinds that have no partner. */
export function comparePlanted(
  expected: readonly string[],
  found: readonly string[],
): { missed: string[]; surprising: string[] } {
  const surprising = [...found];
  const missed = expected.filter((words) => {
    const index = surprising.findIndex((finding) => words.split(" | ").every((part) => finding.includes(part)));
    if (index !== -1) surprising.splice(index, 1);
    return index === -1;
  });
  return { missed, surprising };
}
