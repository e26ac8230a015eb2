import type {
  DeliveryState,
  NotificationChannelCreate,
  NotificationChannelPatch,
  NotificationChannelRotate,
} from "@belfry/contract";
import { notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { requireFreeName } from "../../kernel/names.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { ChannelSecrets } from "./channel-secrets.ts";
import { type EndpointRules, readEndpoint } from "./endpoint.ts";
import type { ChannelDeleting, ChannelFact } from "./facts.ts";
import type { ChannelStore } from "./store.ts";
import { channelMembers, type ChannelRow } from "./table.ts";

/** How a delivery to a channel ended. */
export interface DeliveryEnd {
  readonly channelId: string;
  readonly state: DeliveryState;
}

export interface ChannelDeps {
  readonly store: ChannelStore;
  readonly secrets: ChannelSecrets;
  readonly rules: EndpointRules;
}

export type Channels = ReturnType<typeof createChannels>;

export function createChannels({ store, secrets, rules }: ChannelDeps) {
  const get = (id: string, field: string | null = null): ChannelRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("notification channel", id, field);
    return row;
  };
  const freeName = (name: string, id: string | null) =>
    requireFreeName(name, { kind: "a notification channel", find: store.findByName }, { id });
  const { revise } = createRevise<ChannelRow, ChannelFact>({
    members: channelMembers,
    update: ({ id }, columns) => store.update(id, columns),
    fact: ({ id: channelId }, changed) => ({ name: "channel.updated", channelId, changed }),
  });

  return {
    get,
    find: store.find,
    list: (filters: { readonly namePart?: string | undefined }, page: Page) => store.list(filters, page),

    create: (unit: Unit<ChannelFact>, input: NotificationChannelCreate): ChannelRow => {
      const id = newId("nch");
      const row: ChannelRow = {
        id,
        ...freeName(input.name, null),
        kind: "webhook",
        ...endpointColumns(id, input.endpoint),
        authorizationSealed: secrets.sealOrNull(id, "authorization", input.authorization ?? null),
        signingSecretSealed: secrets.sealOrNull(id, "signing_secret", input.signing_secret ?? null),
        enabled: input.enabled,
        failingSince: null,
        consecutiveFailures: 0,
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      };
      store.insert(row);
      unit.record({ name: "channel.created", channelId: id });
      return row;
    },

    update: (unit: Unit<ChannelFact>, id: string, patch: NotificationChannelPatch): ChannelRow => {
      const row = get(id);
      const change: Partial<ChannelRow> = {};
      if (patch.name !== undefined) Object.assign(change, freeName(patch.name, id));
      if (patch.enabled !== undefined) change.enabled = patch.enabled;
      if (patch.endpoint !== undefined) Object.assign(change, moveEndpoint(row, patch.endpoint));
      return revise(unit, row, change);
    },

    /** Changes the secrets. A value replaces a secret, null clears it, and an absent member leaves it unchanged. */
    rotate: (unit: Unit<ChannelFact>, id: string, input: NotificationChannelRotate): ChannelRow => {
      const row = get(id);
      const change: Partial<ChannelRow> = {};
      const { authorization, signing_secret: signingSecret } = input;
      if (authorization !== undefined && authorization !== secrets.authorizationOf(row))
        change.authorizationSealed = secrets.sealOrNull(id, "authorization", authorization);
      if (signingSecret !== undefined && signingSecret !== secrets.signingSecretOf(row))
        change.signingSecretSealed = secrets.replaceSigningSecret(unit, row, signingSecret);
      return revise(unit, row, change);
    },

    setEnabled: (unit: Unit<ChannelFact>, id: string, enabled: boolean): ChannelRow =>
      revise(unit, get(id), { enabled }),

    remove: (unit: Unit<ChannelFact>, id: string): void => {
      get(id);
      unit.record({ name: "channel.deleting", channelId: id });
    },
    /** Removes the row, as the last reaction: other modules have removed the rows that refer to it. */
    onChannelDeleting: (unit: Unit<ChannelFact>, { channelId }: ChannelDeleting): void => {
      store.remove(channelId);
      unit.record({ name: "channel.deleted", channelId, erases: true });
    },

    /** Counts a channel's failures in the write that ends each delivery, so that no reader has to count deliveries. */
    onDeliveryEnded: (unit: Unit<ChannelFact>, { channelId, state }: DeliveryEnd): void => {
      const row = store.find(channelId);
      if (row === undefined) return;
      const isFailing = state === "failed";
      const wasFailing = row.failingSince !== null;
      if (isFailing) {
        const consecutiveFailures = row.consecutiveFailures + 1;
        store.update(channelId, { failingSince: row.failingSince ?? unit.now, consecutiveFailures });
      } else if (wasFailing) store.update(channelId, { failingSince: null, consecutiveFailures: 0 });
      if (isFailing !== wasFailing) unit.record({ name: "channel.health_turned", channelId });
    },

    /** Erases former signing secrets that no longer sign. This changes nothing that a client can see. */
    eraseExpired: secrets.eraseExpired,
  };

  function endpointColumns(id: string, text: string): Pick<ChannelRow, "endpointSummary" | "endpointSealed"> {
    const { url, summary } = readEndpoint(text, rules);
    return { endpointSummary: summary, endpointSealed: secrets.seal(id, "endpoint", url.href) };
  }

  /**
   * Changes the endpoint. A new origin clears the authorization, which belongs to one origin. The signing secret is
   * kept, because a signature does not reveal it.
   */
  function moveEndpoint(row: ChannelRow, text: string): Partial<ChannelRow> {
    // encrypting the same endpoint again would look like a change
    if (readEndpoint(text, rules).url.href === secrets.endpointOf(row)) return {};
    const next = endpointColumns(row.id, text);
    // the summary is the origin
    return next.endpointSummary === row.endpointSummary ? next : { ...next, authorizationSealed: null };
  }
}
