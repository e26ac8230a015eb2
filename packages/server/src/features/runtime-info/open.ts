import { type RuntimeInfoSources, serveRuntimeInfo } from "./operations.ts";

export function openRuntimeInfo(parts: RuntimeInfoSources) {
  return { operations: serveRuntimeInfo(parts) };
}
