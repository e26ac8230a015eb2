/** Writes a mode as `chmod` takes it: `0700`. */
export function formatMode(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
