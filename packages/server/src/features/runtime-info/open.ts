import type { DiskWatch } from "../../kernel/files/disk-watch.ts";
import type { Paths } from "../../kernel/files/paths.ts";
import { type ListHeldOutputs, type ListSilentRunners, serveRuntimeInfo } from "./operations.ts";

export interface RuntimeInfoParts {
  readonly paths: Paths;
  readonly listBroken: DiskWatch["listBroken"];
  readonly listSilentRunners: ListSilentRunners;
  readonly listHeldOutputs: ListHeldOutputs;
}

export function openRuntimeInfo(parts: RuntimeInfoParts) {
  return { operations: serveRuntimeInfo(parts) };
}
