import { Refused } from "./send-failure.ts";

/*
 * Reads one HTTP/1.1 response as far as a delivery needs it: its status and its end.
 *
 * head    Up to the empty line. The head of an interim response (1xx) is dropped, and the next one is read.
 * body    The status is known. Its length is given by Content-Length, by the chunks, or by the end of the connection.
 * ended   The whole response was read, and nothing after it.
 * lost    The end cannot be found: the body is malformed, or there is data after it.
 *
 * head -> head | body; body -> ended | lost. A head that is not HTTP throws. A body never does, because the status has decided.
 *
 * Node's own client allocates memory for the response when it sends the request: more than 10 kB for each of a thousand
 * receivers that hang. This reader is created when the first byte of a response arrives.
 */

export interface AnswerReader {
  readonly read: (chunk: Buffer) => void;
  /** The status of the final answer, once its head has been read. */
  readonly status: number | null;
  readonly state: "head" | "body" | "ended" | "lost";
  /** Whether the connection stays open after the answer. */
  readonly isKeptAlive: boolean;
}

const headBytesMax = 16 * 1024;
/** A receiver that sends more interim responses than this is faulty. */
const interimMax = 20;

/** Reads a part of a body; returns whether the body continues, has ended, or is malformed. */
type BodyReader = (text: string) => "body" | "ended" | "lost";

interface Head {
  readonly status: number;
  readonly isKeptAlive: boolean;
  readonly readBody: BodyReader;
}

export function createAnswerReader(): AnswerReader {
  let text = "";
  let interim = 0;
  let head: Head | null = null;
  let state: AnswerReader["state"] = "head";

  return {
    read: (chunk) => {
      if (state === "ended" && chunk.length > 0) state = "lost";
      if (state === "ended" || state === "lost") return;
      // one character for each byte, because the reader looks only at ASCII
      const added = chunk.toString("latin1");
      const rest = head === null ? readHeads(added) : added;
      if (head !== null) state = head.readBody(rest);
    },
    get status() {
      return head?.status ?? null;
    },
    get state() {
      return state;
    },
    get isKeptAlive() {
      return head?.isKeptAlive ?? false;
    },
  };

  /** Reads heads until the final one; returns the text after its last header. */
  function readHeads(added: string): string {
    // an empty line may have begun in the earlier text
    let from = Math.max(0, text.length - 3);
    text += added;
    for (;;) {
      const end = endOfHead(text, from);
      if (end === null ? text.length > headBytesMax : end > headBytesMax)
        throw new Refused("the headers of the response are too large");
      if (!startsLikeHttp(text)) throw new Refused("the response is not HTTP/1.1");
      if (end === null) return "";
      const found = parseHead(text.slice(0, end));
      const rest = text.slice(end);
      if (isInterim(found.status)) {
        if (++interim > interimMax) throw new Refused("the receiver sent too many interim responses (1xx)");
        text = rest;
        from = 0;
        continue;
      }
      head = found;
      text = "";
      return rest;
    }
  }
}

function endOfHead(text: string, from: number): number | null {
  const emptyLine = /\r?\n\r?\n/g;
  emptyLine.lastIndex = from;
  return emptyLine.exec(text) === null ? null : emptyLine.lastIndex;
}

function startsLikeHttp(text: string): boolean {
  return text.startsWith("HTTP/1.") || "HTTP/1.".startsWith(text);
}

/** Whether another answer follows this one. 101 is not interim, because no answer follows it. */
function isInterim(status: number): boolean {
  return status >= 100 && status <= 199 && status !== 101;
}

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.trimEnd().split(/\r?\n/);
  const [, minor, digits] = /^HTTP\/1\.(\d) (\d{3})(?: |$)/.exec(first) ?? [];
  if (digits === undefined) throw new Refused("the response is not HTTP: its first line has no valid status");
  const status = Number(digits);
  const valuesOf = (name: string): readonly string[] =>
    lines
      .filter((line) => line.toLowerCase().startsWith(`${name}:`))
      .flatMap((line) => line.slice(name.length + 1).split(","))
      .map((value) => value.trim().toLowerCase());
  return {
    status,
    isKeptAlive: minor === "1" && !valuesOf("connection").includes("close"),
    readBody: bodyReaderOf(status, valuesOf("transfer-encoding"), valuesOf("content-length")),
  };
}

function bodyReaderOf(status: number, encodings: readonly string[], lengths: readonly string[]): BodyReader {
  if (status === 204 || status === 304) return fixedLength(0);
  if (encodings.length > 0) return encodings.join() === "chunked" && lengths.length === 0 ? chunked() : untilClose;
  const [length = ""] = lengths;
  return lengths.length === 1 && /^\d{1,15}$/.test(length) ? fixedLength(Number(length)) : untilClose;
}

function untilClose(): "body" {
  return "body";
}

function fixedLength(length: number): BodyReader {
  let left = length;
  return (text) => {
    left -= text.length;
    return left > 0 ? "body" : left === 0 ? "ended" : "lost";
  };
}

const chunkLineMax = 1_024;

/**
 * Reads chunks: a line with the size, that many bytes, and a line end. After the chunk of size 0 come trailers and an
 * empty line.
 */
function chunked(): BodyReader {
  let line = "";
  let bytesLeft = 0;
  let expected: "size" | "line end" | "trailer" = "size";

  return (text) => {
    for (let at = 0; at < text.length;) {
      if (bytesLeft > 0) {
        const step = Math.min(bytesLeft, text.length - at);
        bytesLeft -= step;
        at += step;
        continue;
      }
      const end = text.indexOf("\n", at) + 1;
      line += text.slice(at, end === 0 ? text.length : end);
      if (line.length > chunkLineMax) return "lost";
      if (end === 0) return "body";
      at = end;
      const content = line.trim();
      line = "";
      if (expected === "trailer") {
        if (content !== "") continue;
        return at === text.length ? "ended" : "lost";
      }
      if (expected === "line end") {
        if (content !== "") return "lost";
        expected = "size";
        continue;
      }
      const [, size] = /^([0-9a-f]{1,8})(?:\s*;|$)/i.exec(content) ?? [];
      if (size === undefined) return "lost";
      bytesLeft = Number.parseInt(size, 16);
      expected = bytesLeft === 0 ? "trailer" : "line end";
    }
    return "body";
  };
}
