import { limits } from "@belfry/contract";
import type { Sealing } from "../../kernel/secrets.ts";
import type { Instant } from "../../kernel/time.ts";
import type { ChannelRow } from "./table.ts";

/** Where a delivery goes and with what, as it was when it was queued. */
export interface Target {
  readonly endpoint: string;
  readonly authorization: string | null;
  readonly signingSecrets: readonly { readonly secret: string; readonly until: Instant | null }[];
}

type Member = "endpoint" | "authorization" | "signing_secret";

export type ChannelSecrets = ReturnType<typeof createChannelSecrets>;

/** The sealed columns of channels and deliveries: each value is sealed to its own place. */
export function createChannelSecrets(sealing: Sealing) {
  const channelContext = (id: string, member: Member): string => `notification_channel:${id}:${member}`;
  const targetContext = (id: string): string => `notification_delivery:${id}:target`;
  const open = (id: string, member: Member, sealed: Buffer | null): string | null =>
    sealed === null ? null : sealing.open(sealed, channelContext(id, member));
  const seal = (id: string, member: Member, value: string): Buffer => sealing.seal(value, channelContext(id, member));

  return {
    seal,
    sealOrNull: (id: string, member: Member, value: string | null): Buffer | null =>
      value === null ? null : seal(id, member, value),
    endpointOf: (row: ChannelRow): string => sealing.open(row.endpointSealed, channelContext(row.id, "endpoint")),
    authorizationOf: (row: ChannelRow): string | null => open(row.id, "authorization", row.authorizationSealed),
    signingSecretOf: (row: ChannelRow): string | null => open(row.id, "signing_secret", row.signingSecretSealed),

    /** The columns of a signing secret that takes another's place: the former one signs too for a day; a cleared one does not. */
    replaceSigningSecret: (row: ChannelRow, value: string | null, now: Instant): Partial<ChannelRow> => ({
      signingSecretSealed: value === null ? null : seal(row.id, "signing_secret", value),
      formerSigningSecretSealed: value === null ? null : row.signingSecretSealed,
      formerSigningSecretUntil:
        value === null || row.signingSecretSealed === null ? null : now + limits.formerSigningSecretMs,
    }),

    snapshot: (row: ChannelRow, deliveryId: string, now: Instant): Buffer => {
      const current = open(row.id, "signing_secret", row.signingSecretSealed);
      const former = open(row.id, "signing_secret", row.formerSigningSecretSealed);
      const until = row.formerSigningSecretUntil;
      const target: Target = {
        endpoint: sealing.open(row.endpointSealed, channelContext(row.id, "endpoint")),
        authorization: open(row.id, "authorization", row.authorizationSealed),
        signingSecrets: [
          ...(current === null ? [] : [{ secret: current, until: null }]),
          ...(former === null || until === null || until <= now ? [] : [{ secret: former, until }]),
        ],
      };
      return sealing.seal(JSON.stringify(target), targetContext(deliveryId));
    },
    // written by `snapshot` and authenticated by the seal
    openSnapshot: (deliveryId: string, sealed: Buffer): Target =>
      JSON.parse(sealing.open(sealed, targetContext(deliveryId))) as Target,
  };
}
