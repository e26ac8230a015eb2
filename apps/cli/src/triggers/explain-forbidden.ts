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
