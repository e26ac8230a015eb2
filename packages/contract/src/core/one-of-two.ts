import { z } from "zod";

type Two = readonly [first: string, second: string];

/** A body that has one of two members, and not both: each way is a schema of its own. */
export function oneOfTwo<S extends z.ZodUnion<readonly z.ZodObject[]>>(ways: S, two: Two) {
  const chosen = z.transform<z.input<S>, unknown>((body, context) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    const given = two.filter((name) => Object.hasOwn(body, name)).length;
    // an unknown name may be one of the two, mistyped: the ways say so
    const isUnderstood = Object.keys(body).every((name) => ways.options.some((way) => name in way.shape));
    if (given === 2 || (given === 0 && isUnderstood)) {
      context.issues.push({ code: "custom", message: faultOfTwo(body, two), path: [two[0]], input: body });
    }
    return body;
  });
  return chosen.pipe(ways);
}

/** What is wrong, to follow the name of the first, where both are there or neither is. */
export function faultOfTwo(body: unknown, [first, second]: Two): string {
  const hasBoth = Object.hasOwn(body as object, first);
  return hasBoth ? `must not be given together with ${second}` : `is required unless ${second} is given`;
}
