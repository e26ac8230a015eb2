import { catalogue, ifMatchForm, type Operation } from "@belfry/contract";
import { requireCapability } from "./features/access/index.ts";
import type { Audit } from "./features/audit/index.ts";
import { hashInput, type Idempotency } from "./features/idempotency/index.ts";
import { AppError, NothingKept } from "./kernel/errors/errors.ts";
import { invariant } from "./kernel/errors/invariant.ts";
import type { Log } from "./kernel/log/log.ts";
import type { Actor, StreamAnswer } from "./kernel/operation.ts";
import { explainFailure, explainUnaudited } from "./kernel/errors/failure.ts";
import type { Instant } from "./kernel/time/time.ts";
import type { AnyFact, Unit, WriteSoon } from "./kernel/storage/write.ts";

/** One call as the transport parsed it, with the two headers that concern a write. */
export interface GatewayCall {
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly query: unknown;
  readonly body: unknown;
  /** Of a large body, which is hashed where it is parsed; else null. */
  readonly bodyHash: string | null;
  readonly actor: Actor;
  readonly now: Instant;
  readonly signal: AbortSignal;
  readonly wantsEvents: boolean;
  readonly requestId: string;
  readonly ifMatch: string | null;
  readonly idempotencyKey: string | null;
}

export interface GatewayAnswer {
  readonly status: number;
  /** Undefined where the operation answers without a body. */
  readonly body: object | undefined;
  readonly stream: StreamAnswer | null;
  readonly isReplay: boolean;
}

/** An operation as the gateway calls it: the modules' own types have proved each one. */
export interface ServedOperation {
  readonly handle: ((unit: Unit<AnyFact>, call: GatewayCall) => unknown) & ((call: GatewayCall) => unknown);
  /** Answers a repeated call from the id of the resource that the first one made. */
  readonly replay?: (call: GatewayCall, madeId: string) => object;
  /** The resource of a refused call, where its path names none. */
  readonly concern?: (call: GatewayCall) => string | null;
}

export interface GatewayParts {
  /** Many calls may share one commit; each is whole or nothing by itself. */
  readonly writeSoon: WriteSoon<AnyFact>;
  readonly operations: Readonly<Record<string, ServedOperation>>;
  readonly audit: Audit;
  readonly idempotency: Idempotency;
  /** The revision a resource has now, by its type; undefined where it does not exist. */
  readonly revisions: Readonly<Record<string, (id: string) => number | undefined>>;
  readonly log: Log;
}

/** Who was refused, and what it concerned. */
export interface Caller {
  readonly actor: Actor;
  readonly requestId: string;
  readonly id: string | null;
  /** Asked only where the path names nothing. */
  readonly concern?: () => string | null;
}

interface Done {
  readonly call: GatewayCall;
  readonly resourceId: string | null;
  readonly changed: readonly string[];
}

interface Repeated {
  readonly operation: Operation;
  readonly call: GatewayCall;
  readonly former: { readonly status: number; readonly resourceId: string };
}

const byId: ReadonlyMap<string, Operation> = new Map(catalogue.map((operation) => [operation.id, operation]));

export type Gateway = ReturnType<typeof createGateway>;

/**
 * Every management call passes here: capability, one write, its audit row, its idempotency key. No module can forget them,
 * because no module makes those calls. A refusal is audited in a small write of its own.
 */
export function createGateway(parts: GatewayParts) {
  const { writeSoon, audit, idempotency, log } = parts;

  return {
    /** Null when the actor may call the operation; asked before its input is read. */
    admit: (operation: Operation, actor: Actor, requestId: string): Promise<unknown> | null => {
      try {
        requireCapability(actor, operation);
        return null;
      } catch (error) {
        return auditRefusal(operation, { actor, requestId, id: null }, error);
      }
    },

    /** For input that could not be parsed, which never reaches `enter`: it is audited like any other refusal. */
    refuse: (operation: Operation, caller: Caller, error: unknown): Promise<unknown> =>
      auditRefusal(operation, caller, error),

    /** The caller's answer to a failure; a refusal of the gateway's own is in the log already. */
    explain: (operation: Operation, caller: Caller, error: unknown): AppError =>
      error instanceof AppError ? error : asRefusal(operation, caller, error),

    /** A plain read answers immediately, everything else once it is on disk. */
    enter: (operation: Operation, call: GatewayCall): GatewayAnswer | Promise<GatewayAnswer> => {
      const served = parts.operations[operation.id];
      invariant(served !== undefined, `operation ${operation.id} is served`);
      return operation.kind === "read" && !operation.audited
        ? read(operation, call, served)
        : enterWriting(operation, call);
    },
  };

  function read(operation: Operation, call: GatewayCall, { handle }: ServedOperation): GatewayAnswer {
    try {
      return answerOf(operation, handle(call));
    } catch (error) {
      throw asRefusal(operation, callerOf(call), error);
    }
  }

  async function enterWriting(operation: Operation, call: GatewayCall): Promise<GatewayAnswer> {
    try {
      return await writeSoon((unit) =>
        operation.kind === "read" ? reveal(unit, operation, call) : change(unit, operation, call),
      );
    } catch (error) {
      if (error instanceof NothingKept) return { status: 200, body: error.answer, stream: null, isReplay: false };
      const concern = (): string | null => parts.operations[operation.id]?.concern?.(call) ?? null;
      throw await auditRefusal(operation, { ...callerOf(call), concern }, error);
    }
  }

  function reveal(unit: Unit<AnyFact>, operation: Operation, call: GatewayCall): GatewayAnswer {
    const answer = parts.operations[operation.id]!.handle(call);
    record(unit, operation, { call, resourceId: idOf(call), changed: [] });
    return answerOf(operation, answer);
  }

  function change(unit: Unit<AnyFact>, operation: Operation, call: GatewayCall): GatewayAnswer {
    const keyed = keyedCall(operation, call);
    const former = keyed === null ? null : idempotency.findFormer(unit, keyed);
    if (former !== null) return replay(unit, { operation, call, former });
    requireRevision(operation, call);
    const changed = new Set<string>();
    const watched: Unit<AnyFact> = {
      now: unit.now,
      record: (fact) => {
        if ("changed" in fact) for (const member of fact.changed as readonly string[]) changed.add(member);
        unit.record(fact);
      },
      onUndo: unit.onUndo,
    };
    const answer = answerOf(operation, parts.operations[operation.id]!.handle(watched, call));
    const made = answer.status === 201 || answer.status === 202 ? memberOf(answer, operation.makes ?? "id") : null;
    const concerned = operation.concerns === undefined ? made : memberOf(answer, operation.concerns);
    record(unit, operation, {
      call,
      resourceId: idOf(call) ?? concerned,
      changed: made === null || concerned !== made ? [...changed] : membersOf(call.body),
    });
    if (keyed !== null && made !== null) idempotency.remember(unit, keyed, { status: answer.status, resourceId: made });
    return answer;
  }

  /** Rendered afresh from what the first call made; it changes nothing, and is audited only where it reveals a secret. */
  function replay(unit: Unit<AnyFact>, { operation, call, former }: Repeated): GatewayAnswer {
    const { resourceId } = former;
    const reader = byId.get(operation.replayedBy ?? "");
    invariant(reader !== undefined, `operation ${operation.id} names what replays it`);
    const body = readAgain(operation, reader, { call, resourceId });
    if (reader.audited && reader.id !== operation.id) record(unit, reader, { call, resourceId, changed: [] });
    return { status: former.status, body, stream: null, isReplay: true };
  }

  /** That it is gone is no 404: the call itself named nothing that does not exist. */
  function readAgain(
    operation: Operation,
    reader: Operation,
    { call, resourceId }: { readonly call: GatewayCall; readonly resourceId: string },
  ): object {
    try {
      const own = parts.operations[operation.id]?.replay?.(call, resourceId);
      const readCall = { ...call, params: { id: resourceId }, query: {}, body: undefined };
      return own ?? (parts.operations[reader.id]!.handle(readCall) as object);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      throw new AppError(
        "conflict",
        `this Idempotency-Key already created ${resourceId}, which was deleted since: use a new key to create another`,
        { resourceId, cause: error },
      );
    }
  }

  function keyedCall(operation: Operation, call: GatewayCall) {
    if (call.idempotencyKey === null || operation.replayedBy === undefined) return null;
    return {
      actorId: call.actor.id,
      operation: operation.id,
      key: call.idempotencyKey,
      bodyHash: hashInput([call.params ?? null, call.bodyHash ?? call.body ?? null]),
    };
  }

  /** A resource that does not exist is the handler's 404, which comes before any 412. */
  function requireRevision(operation: Operation, call: GatewayCall): void {
    if (call.ifMatch === null || operation.conditional !== true) return;
    const revision = parts.revisions[operation.resource]?.(idOf(call) ?? "");
    if (revision === undefined || call.ifMatch === "*") return;
    const match = ifMatchForm.exec(call.ifMatch);
    if (match === null)
      throw new AppError("validation_failed", 'If-Match must be * or the value of one ETag, such as "3"', {
        field: "If-Match",
      });
    if (Number(match[1]) !== revision) {
      throw new AppError(
        "precondition_failed",
        `the ${operation.resource} has changed and is now at revision ${revision}: read it again before you change it`,
      );
    }
  }

  async function auditRefusal(operation: Operation, caller: Caller, error: unknown): Promise<unknown> {
    const refusal = asRefusal(operation, caller, error);
    if (refusal.code === "audit_unavailable" || (!operation.audited && refusal.code !== "forbidden")) return refusal;
    try {
      await writeSoon((unit) =>
        audit.record(unit, {
          actor: caller.actor,
          operation: operation.id,
          resourceType: operation.resource,
          resourceId: caller.id ?? refusal.resourceId ?? caller.concern?.() ?? null,
          result: refusal.code === "forbidden" ? "denied" : "failed",
          errorCode: refusal.code,
          requestId: caller.requestId,
          changedFields: [],
        }),
      );
      return refusal;
    } catch (failure) {
      return explainUnaudited(failure, { operation: operation.id, requestId: caller.requestId, log });
    }
  }

  function asRefusal(operation: Operation, { requestId }: Caller, error: unknown): AppError {
    return explainFailure(error, { operation: operation.id, requestId, log });
  }

  function record(unit: Unit<AnyFact>, operation: Operation, done: Done): void {
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

function answerOf(operation: Operation, answer: unknown): GatewayAnswer {
  const { response } = operation;
  if (response.kind === "events" || response.kind === "bytes")
    return { status: 200, body: undefined, stream: answer as StreamAnswer, isReplay: false };
  if (response.kind === "empty") return { status: response.status, body: undefined, stream: null, isReplay: false };
  return { status: response.status, body: answer as object, stream: null, isReplay: false };
}

function callerOf(call: GatewayCall): Caller {
  return { actor: call.actor, requestId: call.requestId, id: idOf(call) };
}

function idOf(call: GatewayCall): string | null {
  return call.params?.["id"] ?? null;
}

/** A member of an answer by its path; the descriptor of its operation says that it is there. */
function memberOf(answer: GatewayAnswer, path: string): string {
  const found = path.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], answer.body);
  invariant(typeof found === "string", `the answer has ${path}`);
  return found;
}

function membersOf(body: unknown): readonly string[] {
  return typeof body === "object" && body !== null ? Object.keys(body) : [];
}
