import { catalogue, type Operation, type Transport } from "@belfry/contract";

/** An operation that the screens call, and the path at which the daemon has it. */
export interface Matched {
  readonly operation: Operation;
  /** After `/v1`, with each parameter encoded again. */
  readonly path: string;
}

/** The answer of an enrolment contains an access token, which no page may get: `/shell/profiles` enrols. */
const withheld: readonly string[] = ["access.enroll"];

const operations: readonly Operation[] = catalogue.filter(({ id }) => !withheld.includes(id));

/** Finds the operation of a method and a path after `/v1`; null if that transport has none. */
export function matchOperation(method: string, path: string, transport: Transport): Matched | null {
  const segments = path.split("/").map(decode);
  if (segments.some((segment, index) => index > 0 && segment === null)) return null;
  // a fixed path wins over a pattern: /chains/graph is not a chain
  const [best] = operations
    .filter((one) => one.method.toUpperCase() === method && one.transports.includes(transport) && fits(one, segments))
    .toSorted((a, b) => parameterCount(a) - parameterCount(b));
  return best === undefined
    ? null
    : { operation: best, path: segments.map((one) => encodeURIComponent(one!)).join("/") };
}

function fits({ path }: Operation, segments: readonly (string | null)[]): boolean {
  const pattern = path.split("/");
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]))
  );
}

function parameterCount({ path }: Operation): number {
  return path.split("{").length;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
