import { z } from "zod";

type Answered<S extends z.ZodRawShape> = { [K in keyof S]: S[K] extends z.ZodDefault<infer I> ? I : S[K] };

/**
 * Makes the answer's form of an object that is also sent. No member is absent, because defaults are filled in. The
 * object is open, so that a client accepts the members of a later daemon.
 */
export function answerOf<S extends z.ZodRawShape>(sent: z.ZodObject<S>) {
  const members = Object.entries(sent.shape).map(([name, member]) => [name, withoutDefault(member)]);
  return z.object(Object.fromEntries(members) as Answered<S>);
}

function withoutDefault(member: z.core.SomeType): z.core.SomeType {
  if (!(member instanceof z.ZodDefault)) return member;
  const filled = member.unwrap() as z.ZodType;
  const meta = member.meta();
  return meta === undefined ? filled : filled.meta({ ...filled.meta(), ...meta });
}
