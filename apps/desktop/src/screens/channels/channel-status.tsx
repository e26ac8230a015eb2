import type { NotificationChannel } from "@belfry/client";
import type { ReactNode } from "react";
import { Status } from "../../components/status.tsx";

export function ChannelStatus({
  channel: { enabled, consecutive_failures },
}: {
  readonly channel: Pick<NotificationChannel, "enabled" | "consecutive_failures">;
}): ReactNode {
  if (!enabled) return <Status kind="off">Disabled</Status>;
  if (consecutive_failures === 0) return <Status kind="success">Healthy</Status>;
  return <Status kind="failure">Failing ({consecutive_failures})</Status>;
}

/** The kinds of secrets that a channel has, or "none". */
export function secretsOf({ has_authorization, has_signing_secret }: NotificationChannel): string {
  const names = [has_authorization ? "authorization" : null, has_signing_secret ? "signing secret" : null];
  return names.filter(Boolean).join(", ") || "none";
}
