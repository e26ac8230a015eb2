/**
 * The seed of every random choice in a test. It is the same in each run, so that the result of a change does not depend
 * on chance. `BELFRY_SEED=random` searches for new failures, and `BELFRY_SEED=123` repeats one.
 */
export const seed = readSeed(process.env["BELFRY_SEED"]);

function readSeed(text: string | undefined): number {
  if (text === undefined) return 20_260;
  if (text === "random") return Math.floor(Math.random() * 2 ** 31);
  const given = Number(text);
  if (!Number.isSafeInteger(given)) throw new Error(`BELFRY_SEED is a whole number or "random", not ${text}`);
  return given;
}
