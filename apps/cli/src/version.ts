import manifest from "../package.json" with { type: "json" };

/** Of the command; the daemon has its own. */
export const version: string = manifest.version;
