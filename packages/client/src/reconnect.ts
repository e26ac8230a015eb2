export const delayMaxMs = 30_000;
const firstDelayMs = 500;

/**
 * How long to wait after this many failures in a row: under half a second at first, doubling up to 30 s. The random
 * half keeps many clients of one daemon from coming back in step.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(delayMaxMs, firstDelayMs * 2 ** (failures - 1));
  return ceiling / 2 + (random() * ceiling) / 2;
}
