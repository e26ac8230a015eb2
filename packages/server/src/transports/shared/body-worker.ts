import { catalogue, type ErrorCode, type Operation } from "@belfry/contract";
import { parentPort, workerData } from "node:worker_threads";
import { AppError, describeError } from "../../kernel/errors/errors.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import { hashBody } from "../../kernel/hash-body.ts";
import { type ParsedBody, parseBody } from "./body.ts";

export interface BodyRequest {
  /** The operation whose schema the body must fit. */
  readonly operation: string;
  readonly bytes: Uint8Array;
  readonly refused: readonly string[];
}

export type BodyAnswer =
  | { readonly parsed: ParsedBody }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly field: string | null } }
  | { readonly failure: string };

// The program of a thread that parses one large body: body-parser.ts starts it.

parentPort?.postMessage(answerOf(workerData as BodyRequest));

function answerOf({ operation: id, bytes, refused }: BodyRequest): BodyAnswer {
  try {
    const operation: Operation | undefined = catalogue.find((each) => each.id === id);
    invariant(operation !== undefined, `there is an operation ${id}`);
    const { value, sent } = parseBody(operation, bytes, refused);
    return { parsed: { value, sent: { hash: hashBody(sent) } } };
  } catch (error) {
    if (!(error instanceof AppError)) return { failure: describeError(error) };
    const { code, message, field } = error;
    return { refusal: { code, message, field } };
  }
}
