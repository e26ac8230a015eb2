import { BelfryError } from "./errors.ts";

/** The folder of this package in stacks of V8. Undefined if the package is bundled, and in other engines. */
const ownFolder = / at (?:.*\()?(\S+[/\\])stack-trace\./.exec(String(new Error("call").stack))?.[1];

/**
 * Lets the stack of a call's error begin where the call was made. The error is created after waiting for the network, so
 * its own stack does not contain the caller.
 */
export function tracing<T>(answer: Promise<T>): Promise<T> {
  const trace = startTrace();
  return answer.catch((error: unknown) => {
    throw trace(error);
  });
}

/** The same for a generator, whose body begins in the caller's first step. */
export function startTrace(): (error: unknown) => unknown {
  // the text of its stack is built only when it is read
  const trace = new Error("call");
  return (error) => {
    const isOwn = error instanceof BelfryError || argumentErrors.has(error as Error);
    if (isOwn && ownFolder !== undefined) (error as Error).stack = `${String(error)}\n${framesOfCaller(trace)}`;
    return error;
  };
}

const argumentErrors = new WeakSet<Error>();

/** An error about an argument of the caller. The stack of any other `TypeError` stays: it is a mistake of this package. */
export function argumentError(message: string): TypeError {
  const error = new TypeError(message);
  argumentErrors.add(error);
  return error;
}

function framesOfCaller({ stack = "" }: Error): string {
  const [, ...frames] = stack.split("\n");
  // a generator has a frame with `(<anonymous>)` for its file
  return frames.slice(frames.findIndex((frame) => !frame.includes(ownFolder!) && !frame.includes("(<"))).join("\n");
}
