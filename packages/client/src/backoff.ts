export const delayMaxMs = 30_000;
const firstDelayMs = 500;

/**
 * Returns the milliseconds to wait after `failures` consecutive failures. The maximum is 500 ms after the first failure, and
 * doubles with each failure up to 30 s. Half of the delay is random, so that many clients of one daemon do not reconnect at
 * the same moment.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(delayMaxMs, firstDelayMs * 2 ** (failures - 1));
  return ceiling / 2 + (random() * ceiling) / 2;
}
