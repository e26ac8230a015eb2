import {
  ApiError,
  CompatibilityError,
  GrantReducedError,
  IdentityError,
  isBelfryError,
  TrustError,
} from "@belfry/client";
import { explainError } from "../explain-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { plainText } from "../output/hints.ts";
import { Refusal } from "./answer.ts";

/** Statuses that the SDK does not retry, except that of a daemon that may answer soon. */
const statuses: Readonly<Record<number, number>> = {
  [exitCodes.usage]: 400,
  [exitCodes.notFound]: 404,
  [exitCodes.unreachable]: 503,
  [exitCodes.refused]: 403,
  [exitCodes.uncertain]: 502,
};

/** Explains a failure of this server's own work, such as an enrolment, with the codes of `belfry --json`. */
export async function explainFailure(error: unknown): Promise<Refusal> {
  if (error instanceof Refusal) return error;
  const { code, exitCode, field, hint, message } = await explainError(error, { called: null });
  const isExpected = error instanceof Failure || isBelfryError(error) || code !== "failed";
  return new Refusal(isExpected ? (statuses[exitCode] ?? 409) : 500, isExpected ? code : "internal", {
    field,
    hint: hint === null ? null : plainText(hint),
    message,
  });
}

/**
 * Explains why there is no answer of a daemon. The SDK's own errors mean that the request was not sent. After any other
 * error, the daemon may have carried it out.
 */
export async function explainNoAnswer(error: unknown, kind: "read" | "write"): Promise<Refusal> {
  if (error instanceof ApiError) {
    const { code, field, message, status } = error;
    return new Refusal(status, code, { field, message });
  }
  if (error instanceof CompatibilityError) return new Refusal(501, "incompatible", { message: error.message });
  if (isTrustProblem(error)) return explainFailure(error);
  if (isBelfryError(error)) return unreachable(error);
  return lostAnswer(kind);
}

/** Explains an answer that began or was awaited, and never became complete. */
export function lostAnswer(kind: "read" | "write"): Refusal {
  return kind === "write" ? uncertain() : new Refusal(503, "unreachable", { message: lost });
}

const lost = "the connection to the daemon broke before its answer was complete";

/** The change may have taken effect: it is never sent again by itself. */
export function uncertain(): Refusal {
  return new Refusal(502, "uncertain", {
    message: `${lost}, so the change may or may not have taken effect`,
    hint: "Look at the present state before you try again",
  });
}

export function malformed(): Refusal {
  return new Refusal(502, "malformed_answer", {
    message: "the answer is not one of a Belfry daemon, so it was thrown away",
    hint: "Check the address of the profile, and any proxy in between",
  });
}

function unreachable(error: Error): Refusal {
  return new Refusal(503, "unreachable", { message: error.message });
}

function isTrustProblem(error: unknown): boolean {
  return error instanceof TrustError || error instanceof IdentityError || error instanceof GrantReducedError;
}
