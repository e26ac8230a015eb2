import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Host } from "../host.ts";
import { launchTokenMs } from "./sessions.ts";

/** Files that open the screens. Each contains one launch token, and is removed when this has expired. */
export interface LaunchFiles extends Disposable {
  /** Writes a file that sends a browser to the address. Returns its path. */
  readonly write: (address: string) => string;
}

/**
 * Creates a folder that only this user can open. A browser is started with the path of a file in it, because every user
 * of the machine can read the arguments of a process.
 */
export function openLaunchFiles({ environment }: Pick<Host, "environment">): LaunchFiles {
  const folder = mkdtempSync(join(environment["XDG_RUNTIME_DIR"] || tmpdir(), "belfry-ui-"));
  chmodSync(folder, 0o700);
  const timers = new Set<NodeJS.Timeout>();
  let count = 0;
  return {
    write: (address) => {
      const path = join(folder, `open-${++count}.html`);
      writeFileSync(path, pageTo(address), { mode: 0o600, flag: "wx" });
      const timer = setTimeout(() => {
        timers.delete(timer);
        rmSync(path, { force: true });
      }, launchTokenMs);
      timers.add(timer);
      return path;
    },
    [Symbol.dispose]: () => {
      for (const timer of timers) clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address contains only letters and digits besides its punctuation, so nothing in it needs an escape. */
function pageTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Belfry</title>
<meta http-equiv="refresh" content="0; url=${address}">
<p><a href="${address}">Open Belfry</a></p>
`;
}

export function urlOfFile(path: string): string {
  return pathToFileURL(path).href;
}
