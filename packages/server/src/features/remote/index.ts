export type { RemoteFact } from "./facts.ts";
export type { KeyPair, ListenerSettings, Opening, RemoteListener } from "./listener.ts";
export { openRemote, type RemoteTrust } from "./open.ts";
export { createRemoteSettings, type RemoteSettings } from "./settings.ts";
