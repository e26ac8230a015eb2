import { ConnectionError } from "@belfry/client";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";

/** Another user has a key, and does not know that there is a socket for it. */
export function explainForbidden(error: unknown): unknown {
  if (!(error instanceof ConnectionError) || (error.code !== "EACCES" && error.code !== "EPERM")) return error;
  return new Failure(exitCodes.refused, error.message, {
    hint: "Other users fire on the fire socket. Ask for its path, and add: --socket <path>",
  });
}

/** Nothing answers at a socket that was named. It may be a fire socket, and no daemon starts for that. */
export function explainSilent(error: unknown, socket: string): unknown {
  if (!(error instanceof ConnectionError) || (error.code !== "ENOENT" && error.code !== "ECONNREFUSED")) return error;
  const what = error.code === "ENOENT" ? "there is no socket" : "nothing listens";
  return new Failure(exitCodes.unreachable, `the trigger was not fired: ${what} at ${socket}`, {
    hint: "The daemon does not run, or its fire socket is off or at another path. Ask whoever runs the daemon",
  });
}
