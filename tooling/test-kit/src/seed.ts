/**
 * Where every random choice of a test begins. It is the same in each run, so that a change is judged by itself
 * and not by luck; `BELFRY_SEED=random` looks for what nobody thought of, `BELFRY_SEED=123` has a failure again.
 */
export const seed = readSeed(process.env["BELFRY_SEED"]);

function readSeed(text: string | undefined): number {
  if (text === undefined) return 20_260;
  if (text === "random") return Math.floor(Math.random() * 2 ** 31);
  const given = Number(text);
  if (!Number.isSafeInteger(given)) throw new Error(`BELFRY_SEED is a whole number or "random", not ${text}`);
  return given;
}
