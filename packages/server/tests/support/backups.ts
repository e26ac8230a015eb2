import { createWriteStream } from "node:fs";
import { request } from "node:http";
import { pipeline } from "node:stream/promises";
import { restoreBackup } from "../../src/features/backups/index.ts";
import { choosePaths } from "../../src/kernel/files/paths.ts";

/** Writes a backup of the daemon to a file. */
export async function backUp(
  { socketPath }: { readonly socketPath: string },
  file: string,
  body: object = {},
): Promise<void> {
  const headers = { "content-type": "application/json" };
  const outgoing = request({ socketPath, method: "POST", path: "/v1/backup", headers });
  outgoing.end(JSON.stringify(body));
  await new Promise((resolve, reject) => {
    outgoing.on("error", reject).on("response", (incoming) => {
      if (incoming.statusCode !== 200) return reject(new Error(`status ${incoming.statusCode}`));
      resolve(pipeline(incoming, createWriteStream(file)));
    });
  });
}

export function restore(file: string, dataDir: string, passphrase: string | null = null) {
  const paths = choosePaths({ dataDir, socket: null, config: null, runtimeDir: null, isRoot: false });
  return restoreBackup({ file, passphrase, paths });
}
