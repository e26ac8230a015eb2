import {
  type AnswerSchema,
  capabilities,
  membersHiddenFrom,
  type Shown,
  type Viewer,
  type WholeOf,
} from "@belfry/contract";

/** Removes the members of a resource that its viewer may not see, as the contract marks them. */
export type Show<O extends AnswerSchema> = (viewer: Viewer, whole: WholeOf<O>) => Shown<O>;

/** All readers of events get the same ones, so an event shows what the least of its readers may see. */
export const eventViewer: Viewer = { capability: "observe", transport: "remote" };

export function createShow<O extends AnswerSchema>(answer: O): Show<O> {
  const hiddenOf = (transport: Viewer["transport"]) =>
    new Map(
      capabilities.map((capability) => [capability, new Set(membersHiddenFrom({ capability, transport }, answer))]),
    );
  const hidden = { local: hiddenOf("local"), remote: hiddenOf("remote") };
  return (viewer, whole) => {
    const names = hidden[viewer.transport].get(viewer.capability)!;
    const shown = names.size === 0 ? whole : withoutNames(whole, names);
    // safe because only members that the contract makes optional were removed
    return shown as Shown<O>;
  };
}

function withoutNames(whole: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.has(name)));
}
