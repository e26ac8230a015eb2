// Without this line, a project that targets ES2022 does not compile: its libraries have no `AsyncDisposable`.
/// <reference lib="esnext.disposable" preserve="true" />
export { monitor, type MonitorOptions, type MonitorState, type StopReason } from "./monitor.ts";
export { connectRemote, profileTransport, type RemoteClient, type RemoteOptions } from "./remote-client/connect.ts";
export { enrollRemote, type EnrollOptions } from "./remote-client/enroll.ts";
export type { RemoteProfile, RemoteTrust } from "./remote-client/profile.ts";
export type { RemoteTransport } from "./transports/transport.ts";
export {
  GrantReducedError,
  IdentityError,
  isGrantReducedError,
  isIdentityError,
  isTrustError,
  TrustError,
} from "./trust-errors.ts";
