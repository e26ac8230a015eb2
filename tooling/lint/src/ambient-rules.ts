import type { OxlintOverride } from "oxlint";
import { ambients, type Ambient } from "./ambients.ts";
import { serverHome } from "./layers.ts";
import { explainAmbient } from "./messages.ts";
import { matchesAny } from "./reach.ts";

interface GlobalBan {
  readonly name: string;
  readonly message: string;
}

interface PropertyBan {
  readonly object?: string;
  readonly property: string;
  readonly message: string;
}

/** Banned in every file, tests included. A later override replaces the whole list, so each override repeats these. */
export const propertiesBannedEverywhere: readonly PropertyBan[] = [
  { property: "rejectUnauthorized", message: "A connection that does not check its peer is not offered anywhere." },
];

/**
 * Turns the globals of outside.ts into oxlint bans: first for the whole server, then for each owner without its own
 * globals.
 */
export function ambientOverrides(): OxlintOverride[] {
  const owners = new Set(ambients.flatMap((row) => row.owners));
  return [`${serverHome}/**/*.ts`, ...owners].map((file) => {
    const closed = ambients.filter((row) => !matchesAny(file, row.owners));
    const globals = { checkGlobalObject: true, globals: closed.flatMap(globalBans) };
    const properties = [...propertiesBannedEverywhere, ...closed.flatMap(propertyBans)];
    return {
      files: [file],
      rules: { "no-restricted-globals": ["error", globals], "no-restricted-properties": ["error", ...properties] },
    };
  });
}

function globalBans(row: Ambient): GlobalBan[] {
  return (row.globals ?? []).map((name) => ({ name, message: explainAmbient(row) }));
}

function propertyBans(row: Ambient): PropertyBan[] {
  return (row.properties ?? []).map((named) => ({ ...named, message: explainAmbient(row) }));
}
