export * from "./batches.ts";
export * from "./entries-below.ts";
export * from "./manual-clock.ts";
export * from "./seed.ts";
export * from "./temp-dir.ts";
export * from "./until.ts";
