import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";

/** One file of the screens, as it is served. */
export interface ScreenFile {
  readonly bytes: Buffer;
  readonly type: string;
  /** Whether its name contains a hash of its content. */
  readonly isHashed: boolean;
}

export interface Screens {
  /** The page, which contains the placeholder of its nonce. */
  readonly index: string;
  /** Every other file, by its path from the root: `/assets/index-4f2a.js`. */
  readonly files: ReadonlyMap<string, ScreenFile>;
}

/** Far above the size of the build: more is the wrong folder. */
const bytesMax = 64 * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/**
 * The build of the screens: beside the bundle of this command or, in a checkout, in the package of the screens. While the
 * screens are developed, `BELFRY_SCREENS` names another one.
 */
export function findScreens({ environment }: Pick<Host, "environment">): string {
  const chosen = environment["BELFRY_SCREENS"];
  const candidates = chosen
    ? [resolve(chosen)]
    : [join(import.meta.dirname, "screens"), join(import.meta.dirname, "../../../desktop/dist")];
  const found = candidates.find((folder) => existsSync(join(folder, "index.html")));
  if (found !== undefined) return found;
  throw new Failure(exitCodes.failed, "this installation of belfry has no screens", {
    hint: "Install a published @belfry/cli. In a checkout, build the screens with: npx pnpm@12 bundle",
  });
}

/**
 * Reads all files. They stay the same until the end of the command, whatever an upgrade does to the folder, and no path of
 * a request ever reaches the disk.
 */
export function readScreens(folder: string): Screens {
  const files = new Map<string, ScreenFile>();
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || extname(path) === ".map") continue;
    if ((bytes += statSync(path).size) > bytesMax)
      throw new Failure(exitCodes.failed, `${folder} is not the build of the screens: it contains over 64 MiB`);
    const url = path.slice(folder.length).replaceAll("\\", "/");
    files.set(url, {
      bytes: readFileSync(path),
      type: types[extname(path)] ?? "application/octet-stream",
      isHashed: url.startsWith("/assets/"),
    });
  }
  const index = files.get("/index.html")?.bytes.toString("utf8") ?? "";
  files.delete("/index.html");
  return { index, files };
}
