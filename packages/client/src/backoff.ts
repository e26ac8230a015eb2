export const delayMaxMs = 30_000;
const firstDelayMs = 500;

/**
 * The milliseconds to wait after this many consecutive failures: at most 500 ms at first, doubling up to 30 s. Half of the
 * delay is random, so that many clients of one daemon do not reconnect at the same moment.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(delayMaxMs, firstDelayMs * 2 ** (failures - 1));
  return ceiling / 2 + (random() * ceiling) / 2;
}
