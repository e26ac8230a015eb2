import { limits } from "@belfry/contract";
import type { Target } from "../../channels/index.ts";
import { type ConnectorParts, createConnector, type Progress } from "./connect.ts";
import type { AttemptResult } from "../service.ts";
import { createHttpExchange } from "./http-exchange.ts";
import { createIdleConnections } from "./idle-connections.ts";
import {
  describeFailure,
  describeStatus,
  describeTimeout,
  isFinalStatus,
  isUnsentForResources,
  isSuccess,
} from "./send-failure.ts";
import { signatureHeaders } from "./sign.ts";

export interface SenderParts extends ConnectorParts {
  /** The daemon's version. */
  readonly version: string;
}

export interface Message {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly target: Target;
  /** The number of the attempt, 1 to 3. */
  readonly attempt: number;
}

/** Aborts the attempt; the result reports it. */
export type Abort = () => void;

export type Sender = ReturnType<typeof createSender>;

/**
 * Sends one POST for each attempt (contract: Receiver contract, Limits). Nothing else in the daemon sends HTTP
 * requests.
 */
export function createSender(parts: SenderParts) {
  const { clock } = parts;
  const connector = createConnector(parts);
  const http = createHttpExchange(clock);
  const idle = createIdleConnections(clock);

  return {
    /** Calls `onResult` once, never before `send` returns. */
    send: (message: Message, onResult: (result: AttemptResult) => void): Abort => {
      const progress: Progress = { phase: "resolving", socket: null, isOver: false };
      const end = (result: AttemptResult): void => {
        if (progress.isOver) return;
        progress.isOver = true;
        timer.cancel();
        if (result.kind !== "delivered") progress.socket?.destroy();
        onResult(result);
      };
      const timer = clock.after(limits.webhookTimeoutMs, () => end(refused(describeTimeout(progress.phase))));
      void request(message, progress).then(
        (status) => end(resultOf(status)),
        (error: unknown) => end(resultOfFailure(error, progress)),
      );
      return () => end(refused("the attempt was aborted"));
    },
    close: (): void => {
      connector.close();
      http.close();
      idle.close();
    },
  };

  async function request(message: Message, progress: Progress): Promise<number> {
    const url = new URL(message.target.endpoint);
    // a receiver may have dropped an idle connection silently, so only the first attempt uses one
    const kept = message.attempt === 1 ? idle.take(url.origin) : null;
    const socket = kept ?? (await connector.connect(url, progress));
    progress.socket = socket;
    progress.phase = "answering";
    const { origin } = url;
    return http.post({ url, headers: headersOf(message), body: message.body }, socket, (status) => {
      if (isSuccess(status)) idle.keep(origin, socket);
    });
  }

  function headersOf(message: Message): Record<string, string> {
    const { authorization } = message.target;
    return {
      "content-type": "application/json",
      "user-agent": `service/${parts.version}`,
      "x-service-delivery": message.id,
      "x-service-event": message.event,
      ...(authorization === null ? {} : { authorization }),
      ...signatureHeaders(message, clock.now()),
    };
  }
}

function resultOf(status: number): AttemptResult {
  if (isSuccess(status)) return { kind: "delivered", status, diagnostic: null };
  return { kind: "refused", status: isFinalStatus(status) ? status : null, diagnostic: describeStatus(status) };
}

function resultOfFailure(error: unknown, { phase }: Progress): AttemptResult {
  const diagnostic = describeFailure(error, phase);
  return isUnsentForResources(error, phase) ? { kind: "unsent", status: null, diagnostic } : refused(diagnostic);
}

function refused(diagnostic: string): AttemptResult {
  return { kind: "refused", status: null, diagnostic };
}
