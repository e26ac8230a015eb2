import type { Operation } from "@belfry/contract";
import { type Access, requireCapability } from "./features/access/index.ts";
import type { Audit } from "./features/audit/index.ts";
import type { Idempotency } from "./features/idempotency/index.ts";
import { anonymous, isAnonymous, requirePublic } from "./gateway/anonymous.ts";
import {
  answerOf,
  type Caller,
  callerOf,
  type GatewayAnswer,
  type GatewayCall,
  handlerOf,
  idOf,
  memberOf,
  membersOf,
  type PreparedCall,
  type ServedOperation,
} from "./gateway/call.ts";
import { isKeyHolder, keyHolderOf, requireFire } from "./gateway/key-holder.ts";
import { commitPrepared } from "./gateway/prepared.ts";
import { createRefusals } from "./gateway/refusals.ts";
import { keyedCall, readAgain, type RepeatedCall } from "./gateway/replays.ts";
import { requireRevision, type Revisions } from "./gateway/revision.ts";
import { AppError, DryRunRollback } from "./kernel/errors/errors.ts";
import { invariant } from "./kernel/errors/invariant.ts";
import type { Log } from "./kernel/log/log.ts";
import type { Actor } from "./kernel/operation.ts";
import type { ReadTogether } from "./kernel/storage/read-together.ts";
import type { AnyFact, Unit, WriteSoon } from "./kernel/storage/write.ts";
import type { Clock } from "./kernel/time/clock.ts";
import type { Instant } from "./kernel/time/time.ts";

export interface GatewayParts {
  /** Runs a call in a commit that many calls may share. Each call is atomic by itself. */
  readonly writeSoon: WriteSoon<AnyFact>;
  readonly readTogether: ReadTogether;
  readonly operations: Readonly<Record<string, ServedOperation>>;
  readonly access: Access["admission"];
  readonly audit: Audit;
  readonly idempotency: Idempotency;
  readonly revisions: Revisions;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
  readonly log: Log;
}

export { anonymous, keyHolderOf };
export type { Caller, GatewayAnswer, GatewayCall, ServedOperation };

interface Done {
  readonly call: GatewayCall;
  readonly resourceId: string | null;
  readonly changed: readonly string[];
}

/** One change, as its module makes it in the write of the call. */
interface Change extends Pick<PreparedCall, "commit" | "actorOf"> {
  readonly call: GatewayCall;
}

export type Gateway = ReturnType<typeof createGateway>;

/**
 * Handles every management call: its capability, its one write, its audit row and its idempotency key. No module can
 * forget these, because only the gateway handles them. A refusal is audited in a small write of its own.
 */
export function createGateway(parts: GatewayParts) {
  const { writeSoon, operations, access, audit, idempotency, clock } = parts;
  const refusals = createRefusals(parts);

  return {
    /** Runs several reads in one transaction, for a call that is admitted and answered within one turn. */
    readTogether: parts.readTogether,

    /**
     * Returns the actor as it is now, or a promise of the refusal if it may not call the operation. Call it before the
     * input is read.
     */
    admit: (operation: Operation, identified: Caller): Actor | Promise<unknown> => {
      try {
        const now = clock.now();
        const actor = requireAdmission(operation, identified.actor, now);
        if (!isAnonymous(actor)) access.noteUse(actor, now);
        return actor;
      } catch (error) {
        return refusals.audit(operation, identified, error);
      }
    },

    /** Audits a call whose input could not be parsed. Such a call never reaches `enter`. */
    refuse: (operation: Operation, caller: Caller, error: unknown): Promise<unknown> =>
      refusals.audit(operation, caller, denialOf(operation, caller) ?? error),

    /** Returns the caller's answer to a failure. An `AppError` of the gateway is already in the log. */
    explain: (operation: Operation, caller: Caller, error: unknown): AppError =>
      error instanceof AppError ? error : refusals.explain(operation, caller, error),

    /** Runs an operation. A plain read is answered immediately, and everything else once it is on disk. */
    enter: (operation: Operation, call: GatewayCall): GatewayAnswer | Promise<GatewayAnswer> => {
      const served = operations[operation.id];
      invariant(served !== undefined, `operation ${operation.id} is served`);
      if (operation.kind === "write" || operation.audited) return enterWriting(operation, call, served);
      return operation.method === "get" ? read(operation, call, served) : readWithBody(operation, call, served);
    },
  };

  /** Throws if the actor may not call the operation at this time. */
  function requireAdmission(operation: Operation, identified: Actor, now: Instant): Actor {
    if (isAnonymous(identified)) {
      requirePublic(operation);
      return identified;
    }
    if (isKeyHolder(identified)) {
      requireFire(operation);
      return identified;
    }
    const actor = access.readAgain(identified, now);
    requireCapability(actor, operation);
    return actor;
  }

  /** Returns why an actor that was admitted may no longer call the operation; null if it may. */
  function denialOf(operation: Operation, { actor }: Caller): unknown {
    try {
      requireAdmission(operation, actor, clock.now());
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Admits a call again, because its actor may have been revoked while the body arrived. */
  function admitAgain(operation: Operation, call: GatewayCall, now: Instant): GatewayCall {
    const actor = requireAdmission(operation, call.actor, now);
    return actor === call.actor ? call : { ...call, actor };
  }

  function read(operation: Operation, call: GatewayCall, served: ServedOperation): GatewayAnswer {
    try {
      return answerOf(operation, handlerOf(served)(call));
    } catch (error) {
      throw refusals.explain(operation, callerOf(call), error);
    }
  }

  async function readWithBody(
    operation: Operation,
    call: GatewayCall,
    served: ServedOperation,
  ): Promise<GatewayAnswer> {
    let admitted: GatewayCall;
    try {
      admitted = admitAgain(operation, call, clock.now());
    } catch (error) {
      throw await refusals.audit(operation, callerOf(call), error);
    }
    return read(operation, admitted, served);
  }

  async function enterWriting(
    operation: Operation,
    call: GatewayCall,
    served: ServedOperation,
  ): Promise<GatewayAnswer> {
    try {
      if (served.prepare !== undefined) return await enterPrepared(operation, call, served.prepare);
      const { handle } = served;
      return await writeSoon((unit) => {
        const admitted = admitAgain(operation, call, unit.now);
        if (operation.kind === "read") return reveal(unit, operation, { call: admitted, handle });
        return change(unit, operation, { call: admitted, commit: handle });
      });
    } catch (error) {
      if (error instanceof DryRunRollback) return { status: 200, body: error.answer, stream: null, isReplay: false };
      const concern = (): string | null => served.concern?.(call) ?? null;
      throw await refusals.audit(operation, { ...callerOf(call), concern }, error);
    }
  }

  /** Admits the call before its preparation, which may change something, and again in the write. */
  async function enterPrepared(
    operation: Operation,
    call: GatewayCall,
    prepare: (call: GatewayCall) => Promise<PreparedCall>,
  ): Promise<GatewayAnswer> {
    const prepared = await prepare(admitAgain(operation, call, clock.now()));
    const commit = (): Promise<GatewayAnswer> =>
      writeSoon((unit) => {
        const admitted = admitAgain(operation, call, unit.now);
        if (operation.kind === "write") return change(unit, operation, { ...prepared, call: admitted });
        return reveal(unit, operation, { call: admitted, handle: (revealed) => prepared.commit(unit, revealed) });
      });
    return commitPrepared(prepared, commit, { operation: operation.id, requestId: call.requestId, log: parts.log });
  }

  function reveal(
    unit: Unit<AnyFact>,
    operation: Operation,
    { call, handle }: { readonly call: GatewayCall; readonly handle: (call: GatewayCall) => unknown },
  ): GatewayAnswer {
    const answer = handle(call);
    record(unit, operation, { call, resourceId: idOf(call), changed: [] });
    return answerOf(operation, answer);
  }

  function change(unit: Unit<AnyFact>, operation: Operation, { call, commit, actorOf }: Change): GatewayAnswer {
    const keyed = keyedCall(idempotency, operation, call);
    const former = keyed === null ? null : idempotency.findFormer(unit, keyed);
    if (former !== null) return replay(unit, { operation, call, resourceId: former.resourceId }, former.status);
    requireRevision(parts.revisions, operation, call);
    const changed = new Set<string>();
    const watched: Unit<AnyFact> = {
      now: unit.now,
      record: (fact) => {
        if ("changed" in fact) for (const member of fact.changed as readonly string[]) changed.add(member);
        unit.record(fact);
      },
      onUndo: unit.onUndo,
    };
    const committed = commit(watched, call);
    const answer = answerOf(operation, committed);
    const made = answer.status === 201 || answer.status === 202 ? memberOf(answer, operation.makes ?? "id") : null;
    const concerned = operation.concerns === undefined ? made : memberOf(answer, operation.concerns);
    record(unit, operation, {
      call: actorOf === undefined ? call : { ...call, actor: actorOf(committed) },
      resourceId: idOf(call) ?? concerned,
      changed: made === null || concerned !== made ? [...changed] : membersOf(call.body),
    });
    if (keyed !== null && made !== null) idempotency.remember(unit, keyed, { status: answer.status, resourceId: made });
    return answer;
  }

  /** Answers a repeated call. This changes nothing, and is audited only if the answer reveals a secret. */
  function replay(unit: Unit<AnyFact>, repeated: RepeatedCall, status: number): GatewayAnswer {
    const { operation, call, resourceId } = repeated;
    const { reader, body } = readAgain(operations, repeated);
    if (reader.audited && reader.id !== operation.id) record(unit, reader, { call, resourceId, changed: [] });
    return { status, body, stream: null, isReplay: true };
  }

  function record(unit: Unit<AnyFact>, operation: Operation, done: Done): void {
    invariant(!isAnonymous(done.call.actor), `${operation.id} names the actor of its audit row`);
    audit.record(unit, {
      actor: done.call.actor,
      operation: operation.id,
      resourceType: operation.resource,
      resourceId: done.resourceId,
      result: "allowed",
      errorCode: null,
      requestId: done.call.requestId,
      changedFields: done.changed,
    });
  }
}
