/** The options that choose the daemon to call. */
export interface DaemonLocation {
  readonly socket: string | null;
  readonly dataDir: string | null;
  readonly profile: string | null;
}
