import type { RemoteConfig } from "../../kernel/config/remote-config.ts";

export type RemoteSettings = ReturnType<typeof createRemoteSettings>;

/** The settings that apply now. Other modules and the transport read them at each use. */
export function createRemoteSettings(configured: RemoteConfig) {
  let current = configured;
  return {
    current: (): RemoteConfig => current,
    isEnabled: (): boolean => current.enabled,
    set: (next: RemoteConfig): void => void (current = next),
  };
}
