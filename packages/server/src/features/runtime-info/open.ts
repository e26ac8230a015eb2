import type { DiskWatch } from "../../kernel/files/disk-watch.ts";
import type { Paths } from "../../kernel/files/paths.ts";
import { serveRuntimeInfo } from "./operations.ts";

export interface RuntimeInfoParts {
  readonly paths: Paths;
  readonly listBroken: DiskWatch["listBroken"];
}

export function openRuntimeInfo({ paths, listBroken }: RuntimeInfoParts) {
  return { operations: serveRuntimeInfo(paths, listBroken) };
}
