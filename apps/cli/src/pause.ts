/** The only module that sets a timer, apart from the progress line. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
