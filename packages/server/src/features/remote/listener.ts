/** The listener of the remote transport, as this module controls it. */
export interface RemoteListener {
  /**
   * Opens the port with this certificate. Connections are accepted only after `activate`, and until then `undo` restores
   * the former port. Rejects if the port cannot be opened, and then the former one stays open.
   */
  readonly open: (settings: ListenerSettings) => Promise<Opening>;
  /** Presents another certificate to new connections. Open ones continue. */
  readonly renew: (pair: KeyPair) => void;
  /** Closes the port and every connection. */
  readonly close: () => Promise<void>;
  readonly isListening: () => boolean;
  readonly countConnections: () => number;
}

export interface KeyPair {
  /** PEM. */
  readonly key: string;
  /** PEM: the certificate itself, and then those that lead to its authority. */
  readonly chain: string;
}

export interface ListenerSettings extends KeyPair {
  readonly host: string;
  readonly port: number;
}

export interface Opening {
  readonly activate: () => void;
  readonly undo: () => Promise<void>;
}

/** Stands in until the transport is connected, and for good where there is none. */
export const noListener: RemoteListener = {
  open: () => Promise.reject(new Error("this daemon has no remote transport")),
  renew: () => {},
  close: () => Promise.resolve(),
  isListening: () => false,
  countConnections: () => 0,
};
