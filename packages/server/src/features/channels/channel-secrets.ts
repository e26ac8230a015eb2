import { limits } from "@belfry/contract";
import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { FormerSecretStore } from "./store.ts";
import type { ChannelRow } from "./table.ts";

/** The endpoint and the secrets of a delivery, as they were when it was queued. */
export interface Target {
  readonly endpoint: string;
  readonly authorization: string | null;
  readonly signingSecrets: readonly { readonly secret: string; readonly until: Instant | null }[];
}

type Member = "endpoint" | "authorization" | "signing_secret";

export type ChannelSecrets = ReturnType<typeof createChannelSecrets>;

/** Seals and opens the secrets of channels and deliveries. Each sealed value is bound to its row and member. */
export function createChannelSecrets(sealing: Sealing, former: FormerSecretStore) {
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

    /**
     * Returns the sealed column of the new secret. The former secret also signs for another day. Clearing the secret
     * removes the former ones too.
     */
    replaceSigningSecret: (unit: Unit, row: ChannelRow, value: string | null): Buffer | null => {
      if (value === null) {
        former.removeOf(row.id);
        return null;
      }
      if (row.signingSecretSealed !== null) {
        // a former secret that is set again must not sign twice
        for (const { number, secretSealed } of former.listOf(row.id))
          if (open(row.id, "signing_secret", secretSealed) === value) former.remove(number);
        const until = unit.now + limits.formerSigningSecretMs;
        former.insert({ channelId: row.id, secretSealed: row.signingSecretSealed, until });
        for (const { number } of former.listOf(row.id).slice(limits.formerSigningSecretsMax)) former.remove(number);
      }
      return seal(row.id, "signing_secret", value);
    },
    eraseExpired: (unit: Unit): number => former.removeExpired(unit.now),

    targetOf: (row: ChannelRow, now: Instant): Target => {
      const context = channelContext(row.id, "signing_secret");
      const current = row.signingSecretSealed;
      return {
        endpoint: sealing.open(row.endpointSealed, channelContext(row.id, "endpoint")),
        authorization: open(row.id, "authorization", row.authorizationSealed),
        signingSecrets: [
          ...(current === null ? [] : [{ secret: sealing.open(current, context), until: null }]),
          ...former
            .listOf(row.id)
            .filter(({ until }) => until > now)
            .map(({ secretSealed, until }) => ({ secret: sealing.open(secretSealed, context), until })),
        ],
      };
    },
    sealTarget: (deliveryId: string, target: Target): Buffer =>
      sealing.seal(JSON.stringify(target), targetContext(deliveryId)),
    // written by `sealTarget` and authenticated by the seal
    openSnapshot: (deliveryId: string, sealed: Buffer): Target =>
      JSON.parse(sealing.open(sealed, targetContext(deliveryId))) as Target,
  };
}
