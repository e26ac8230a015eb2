/** Returns the function that ends the turn. A second call of it does nothing. */
export type TakeTurn = () => Promise<() => void>;

/** Lets one change at a time touch the port, the certificate and the configuration file. */
export function createTurns(): TakeTurn {
  let last = Promise.resolve();
  return async () => {
    const former = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await former;
    return resolve;
  };
}
