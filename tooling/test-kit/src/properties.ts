import fc from "fast-check";
import { seed } from "./seed.ts";

// a seed of a property's own call still wins
fc.configureGlobal({ seed });

/** fast-check, beginning at the seed of this run. */
export { fc };
