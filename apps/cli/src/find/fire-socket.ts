import type { Client } from "@belfry/client";

/** The path of the socket on which others can fire; null while it is off. An older daemon has none. */
export async function findFireSocket(client: Client): Promise<string | null> {
  return (await client.runtimeInfo.get()).fire_socket?.path ?? null;
}
