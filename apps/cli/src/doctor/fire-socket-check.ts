import type { RuntimeInfo } from "@belfry/client";
import { statSync } from "node:fs";
import type { Finding } from "./finding.ts";

const subject = "fire socket";

/** Checks who can connect to the socket for fires, because a group or a mode may have been changed since the start. */
export function checkFireSocket({ fire_socket: socket }: RuntimeInfo): readonly Finding[] {
  if (socket === undefined) return [];
  const { path, mode } = socket;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [{ subject, level: "bad", text: `${path} does not exist` }];
  const actual = (found.mode & 0o777).toString(8).padStart(4, "0");
  if (!found.isSocket() || actual !== mode)
    return [{ subject, level: "bad", text: `${path} is not a socket with mode ${mode}: restart the daemon` }];
  return [{ subject, level: "good", text: `${whoCanFire(socket)} can fire at ${path} with a key` }];
}

function whoCanFire({ mode, group }: NonNullable<RuntimeInfo["fire_socket"]>): string {
  if (mode === "0666") return "every user of this machine";
  if (mode === "0600") return "only the daemon's user";
  return group === null ? "the daemon's group" : `the group ${group}`;
}
