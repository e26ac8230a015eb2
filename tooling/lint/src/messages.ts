import type { Ambient } from "./ambients.ts";
import { serverHome } from "./layers.ts";
import type { OutsideModule } from "./outside.ts";
import type { Reach } from "./reach.ts";

/**
 * The lint rules and the import check share these messages. Each ends with the name of the table that contains the
 * rule.
 */

export function explainReach(reach: Reach): string {
  const shorten = (glob: string): string => glob.replace(`${serverHome}/`, "");
  const types = reach.types.map((glob) => `types of ${shorten(glob)}`);
  const open = [...reach.files.map(shorten), ...types, ...reach.packages].join(", ");
  return `${reach.zone} may import only ${open} (tooling/lint/src/layers.ts).`;
}

export function explainTypes(): string {
  return "Of another module's facts.ts only the types may be imported, by import type (tooling/lint/src/layers.ts).";
}

export function explainModule(row: OutsideModule): string {
  return `${row.modules.join(", ")} has an owner: ${row.instead} (tooling/lint/src/outside.ts).`;
}

export function explainAmbient(row: Ambient): string {
  return `This has an owner: ${row.instead} (tooling/lint/src/ambients.ts).`;
}
