import { z } from "zod";

/**
 * A body that has one of two members, and not both: each way is a schema of its own. Which one is meant is looked at
 * first, so that a mistake is told of the way that was chosen.
 */
export function oneOfTwo<S extends z.ZodUnion>(ways: S, [first, second]: readonly [string, string]) {
  const chosen = z.transform<z.input<S>, unknown>((body, context) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    const [hasFirst, hasSecond] = [Object.hasOwn(body, first), Object.hasOwn(body, second)];
    if (hasFirst === hasSecond) {
      const message = hasFirst ? `must not be given together with ${second}` : `is required unless ${second} is given`;
      context.issues.push({ code: "custom", message, path: [first], input: body });
    }
    return body;
  });
  return chosen.pipe(ways);
}
