import { catalogue, similarNames } from "@belfry/contract";
import { usage } from "../failure.ts";

const shownMax = 12;

/** Requires the name of an operation: a misspelled one would find nothing, as if nothing had happened. */
export function requireOperation(typed: string): string {
  const known = catalogue.map(({ id }) => id);
  if (known.some((id) => id === typed)) return typed;
  throw usage(`there is no operation ${JSON.stringify(typed)}`, hintFor(typed, known));
}

function hintFor(typed: string, known: readonly string[]): string {
  const similar = similarNames(typed, known);
  const isPattern = typed.endsWith("*");
  if (similar.length > 0 && !isPattern) return `Did you mean ${similar.join(" or ")}?`;
  const [resource = ""] = typed.replace(/\*$/, "").split(".");
  const ofResource = resource === "" ? [] : known.filter((id) => id.startsWith(resource));
  const shown = ofResource.slice(0, shownMax).join(", ");
  const more = ofResource.length > shownMax ? ` and ${ofResource.length - shownMax} more` : "";
  const reason = isPattern ? "Patterns are not supported. " : "";
  return ofResource.length === 0
    ? `${reason}Give the whole name of one operation, for example tasks.update`
    : `${reason}Use one of ${shown}${more}`;
}
