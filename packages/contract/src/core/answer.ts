import { z } from "zod";

type Answered<S extends z.ZodRawShape> = { [K in keyof S]: S[K] extends z.ZodDefault<infer I> ? I : S[K] };

/**
 * What an answer carries of an object that is also sent: every default filled in, so that no member is absent,
 * and open, so that a client of today reads the members of a later daemon.
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
