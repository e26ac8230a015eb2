import type { AnswerOf, BodyOf, OperationById, OperationId } from "@belfry/contract";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";
import type { Client, PageWalk } from "../src/index.ts";

// The compiler checks everything here except the last test: a wrong type is a compile error in this file.

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type Method<I extends OperationId> = I extends `${infer Resource}.${infer Verb}`
  ? Client[Camel<Resource> & keyof Client][Camel<Verb> & keyof Client[Camel<Resource> & keyof Client]]
  : never;
type Arguments<I extends OperationId> = Method<I> extends (...args: infer A) => unknown ? A[number] : never;
type Result<I extends OperationId> = Method<I> extends (...args: never[]) => infer R ? Awaited<R> : never;

type IsAny<T> = 0 extends 1 & T ? true : false;
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Wire<T> = T extends PageWalk<infer L> ? L : T;
type Streams = "runs.output" | "events.subscribe" | "audit.export" | "backups.create";

/** Operations whose method has another return type than the contract. */
type WrongAnswers = {
  [I in Exclude<OperationId, Streams>]: IsSame<Wire<Result<I>>, AnswerOf<OperationById<I>>> extends true
    ? never
    : Result<I> extends void
      ? never
      : I;
}[Exclude<OperationId, Streams>];
/** Operations whose method does not take the contract's body. */
type WrongBodies = {
  [I in OperationId]: BodyOf<OperationById<I>> extends undefined | { confirm_installation_id: string } | { key: string }
    ? never
    : BodyOf<OperationById<I>> extends Arguments<I>
      ? never
      : I;
}[OperationId];
type Untyped = { [I in OperationId]: true extends IsAny<Result<I>> | IsAny<Arguments<I>> ? I : never }[OperationId];

type MustBeNever<T extends never> = T;
type Mismatches = [MustBeNever<WrongAnswers>, MustBeNever<WrongBodies>, MustBeNever<Untyped>];

const mismatches: Mismatches[] = [];

test("methods have exactly the types of the contract", () => {
  expect(mismatches).toEqual([]);
});

test("the package exports these values and no others", () => {
  expect(Object.keys(root).toSorted()).toMatchInlineSnapshot(`
    [
      "AbortError",
      "ApiError",
      "AuditUnavailableError",
      "BelfryError",
      "CompatibilityError",
      "ConflictError",
      "ConnectionError",
      "CredentialRevokedError",
      "ForbiddenError",
      "GrantReducedError",
      "HeadersTooLargeError",
      "IdentityError",
      "InternalError",
      "MethodNotAllowedError",
      "NotFoundError",
      "OriginRejectedError",
      "PayloadTooLargeError",
      "PreconditionFailedError",
      "RateLimitedError",
      "RequestTimeoutError",
      "TimeoutError",
      "TriggerFireError",
      "TrustError",
      "UnauthorizedError",
      "UncertainOutcomeError",
      "UnsupportedMediaTypeError",
      "ValidationError",
      "backoffMs",
      "createClient",
      "eventKindsOf",
      "generateSigningSecret",
      "isAbortError",
      "isApiError",
      "isBelfryError",
      "isCompatibilityError",
      "isConnectionError",
      "isGrantReducedError",
      "isIdentityError",
      "isTimeoutError",
      "isTrustError",
      "isUncertainOutcomeError",
      "monitor",
    ]
  `);
});
