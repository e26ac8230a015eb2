import { BelfryError } from "./errors.ts";

/** The folder of this package in stacks of V8. Undefined if the package is bundled, and in other engines. */
const ownFolder = / at (?:.*\()?(\S+[/\\])stack-trace\./.exec(String(new Error("call").stack))?.[1];

/**
 * Lets the stack of a call's error begin where the call was made. The error is created after waiting for the network, so
 * its own stack does not contain the caller.
 */
export function tracing<T>(answer: Promise<T>): Promise<T> {
  // the text of its stack is built only when it is read
  const trace = new Error("call");
  return answer.catch((error: unknown) => {
    if (error instanceof BelfryError && ownFolder !== undefined) error.stack = `${error}\n${framesOfCaller(trace)}`;
    throw error;
  });
}

function framesOfCaller({ stack = "" }: Error): string {
  const [, ...frames] = stack.split("\n");
  // a generator has a frame with `(<anonymous>)` for its file
  return frames.slice(frames.findIndex((frame) => !frame.includes(ownFolder!) && !frame.includes("(<"))).join("\n");
}
