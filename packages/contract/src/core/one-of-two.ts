import { z } from "zod";

type Two = readonly [first: string, second: string];

/** Makes a body that has exactly one of two members; each of the two forms has its own schema. */
export function oneOfTwo<S extends z.ZodUnion<readonly z.ZodObject[]>>(forms: S, two: Two) {
  const chosen = z.transform<z.input<S>, unknown>((body, context) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    const given = two.filter((name) => Object.hasOwn(body, name)).length;
    // an unknown name may be a misspelling of one of the two: the schemas report it
    const isUnderstood = Object.keys(body).every((name) => forms.options.some((form) => name in form.shape));
    if (given === 2 || (given === 0 && isUnderstood)) {
      context.issues.push({ code: "custom", message: faultOfTwo(body, two), path: [two[0]], input: body });
    }
    return body;
  });
  return chosen.pipe(forms);
}

/** Returns the fault if both members are given or neither is, as a predicate whose subject is the first member. */
export function faultOfTwo(body: unknown, [first, second]: Two): string {
  const hasBoth = Object.hasOwn(body as object, first);
  return hasBoth ? `must not be given together with ${second}` : `is required unless ${second} is given`;
}
