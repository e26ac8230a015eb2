import { z } from "zod";
import { capabilities, type Capability, isCapabilityEnough } from "./capability.ts";
import type { Transport } from "./operation.ts";

/** The callers that see a member of an answer: those with at least a capability, or local callers. */
export type Audience = { readonly capability: Capability } | { readonly transport: "local" };

/** What an answer depends on, besides the state of the daemon. */
export interface Viewer {
  readonly capability: Capability;
  readonly transport: Transport;
}

declare const restricted: unique symbol;
/** A member of an answer that not every caller sees. */
export type Restricted<S extends z.ZodType> = z.ZodOptional<S> & { readonly [restricted]: true };

/**
 * Makes a member of an answer that is absent for all other callers. The document and the daemon both read its audience
 * from here.
 */
export function onlyFor<S extends z.ZodType>(audience: Audience, member: S): Restricted<S> {
  const description = [member.meta()?.description, absence(audience)].filter((part) => part !== undefined).join(". ");
  const mark = "capability" in audience ? { [ofCapability]: audience.capability } : { [ofRemote]: false };
  return member.optional().meta({ description, ...mark }) as Restricted<S>;
}

const ofCapability = "x-minimum-capability";
const ofRemote = "x-remote";

function absence(audience: Audience): string {
  return "capability" in audience
    ? `Absent for callers below the capability \`${audience.capability}\``
    : "Absent for remote callers";
}

/** Returns the audience of a member; null if every caller sees it. */
export function audienceOf(member: z.ZodType): Audience | null {
  const meta = member.meta();
  const capability = capabilities.find((one) => one === meta?.[ofCapability]);
  if (capability !== undefined) return { capability };
  return meta?.[ofRemote] === false ? { transport: "local" } : null;
}

/** Lists the members of an answer that this caller does not see. */
export function membersHiddenFrom(viewer: Viewer, answer: z.ZodObject): readonly string[] {
  return Object.entries(answer.shape).flatMap(([name, member]) => {
    const audience = audienceOf(member as z.ZodType);
    return audience === null || isIn(audience, viewer) ? [] : [name];
  });
}

function isIn(audience: Audience, viewer: Viewer): boolean {
  return "capability" in audience
    ? isCapabilityEnough(viewer.capability, audience.capability)
    : viewer.transport === audience.transport;
}

type RestrictedNames<S extends z.core.$ZodShape> = {
  [K in keyof S]: S[K] extends { readonly [restricted]: true } ? K : never;
}[keyof S];

/** Omits the members that some callers do not see, for an answer that all callers share. */
export function forEveryone<S extends z.core.$ZodShape>(
  answer: z.ZodObject<S>,
): z.ZodObject<Omit<S, RestrictedNames<S>>> {
  const shape = Object.entries(answer.shape).filter(
    ([, member]) => audienceOf(member as unknown as z.ZodType) === null,
  );
  // safe because the type and `onlyFor` mark the same members
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodObject<Omit<S, RestrictedNames<S>>>;
}

/** The schema of a resource in answers. */
export type AnswerSchema = z.ZodObject;
/** An answer as some caller sees it. */
export type Shown<O extends AnswerSchema> = z.output<O>;
/** An answer with all its members, from which the members that the caller may not see are then removed. */
export type WholeOf<O extends z.ZodObject> = Omit<z.output<O>, RestrictedNames<O["shape"]>> & {
  -readonly [K in RestrictedNames<O["shape"]>]: O["shape"][K] extends z.ZodOptional<infer S extends z.core.SomeType>
    ? z.output<S>
    : never;
};
