import { serveHealth } from "./operations.ts";

export function openHealth() {
  return { operations: serveHealth() };
}
