import manifest from "../package.json" with { type: "json" };

/** Version of this command; the daemon has its own. */
export const version: string = manifest.version;
