import { tempDir } from "@belfry/test-kit";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { Agent } from "node:http";
import { join } from "node:path";
import type { FireSocketConfig } from "../../src/kernel/config/fire-socket-config.ts";
import { type Answer, callSocket, type HarnessOptions, startDaemon } from "./harness.ts";

/** A directory that other users may enter, and only this one may write. */
export async function openFolder() {
  const dir = await tempDir("bs-");
  chmodSync(dir.path, 0o755);
  return dir;
}

/** A data directory beside the directory of a socket, with a configuration that opens the socket. */
export async function prepareFireSocket(more = "") {
  const dir = await openFolder();
  const dataDir = join(dir.path, "data");
  const path = join(dir.path, "fire.sock");
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, "config.toml"), `[triggers]\nsocket = "${path}"\n${more}`);
  return { folder: dir.path, dataDir, path, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

/** A daemon in this process that serves a socket for fires. */
export async function startWithFireSocket(
  options: HarnessOptions & { readonly fire?: Partial<FireSocketConfig> } = {},
) {
  const place = await prepareFireSocket();
  const fireSocket = { path: place.path, mode: "0660", group: null, ...options.fire } as const;
  const daemon = await startDaemon({ dataDir: place.dataDir, ...options, config: { ...options.config, fireSocket } });
  return {
    ...daemon,
    folder: place.folder,
    path: fireSocket.path,
    fire: (key: unknown, headers: Record<string, string> = {}) => fireOn(fireSocket.path, key, { headers }),
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

export function fireOn(
  path: string,
  key: unknown,
  { headers = {}, agent }: { readonly headers?: Record<string, string>; readonly agent?: Agent } = {},
): Promise<Answer> {
  const body = { key };
  return callSocket(path, { method: "POST", path: "/v1/triggers/fire", body, headers, ...(agent ? { agent } : {}) });
}
