import fc from "fast-check";
import { seed } from "./seed.ts";

// a seed in the call of a property has priority
fc.configureGlobal({ seed });

/** fast-check, with the seed of this run. */
export { fc };
