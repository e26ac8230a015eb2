import { type Clock, systemClock } from "../../kernel/time/clock.ts";
import type { Config } from "../../kernel/config/config.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { Assignments } from "../assignments/index.ts";
import type { Channels, ChannelSecrets } from "../channels/index.ts";
import type { RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import type { DeliveryFact } from "./facts.ts";
import { deliveryEvents } from "./events.ts";
import { serveDeliveries } from "./operations.ts";
import { createDeliveryReactions } from "./reactions.ts";
import { createRedeliveries } from "./redeliveries.ts";
import { createDeliverer } from "./sending/deliverer.ts";
import { createSender } from "./sending/send-webhook.ts";
import { createDeliveries } from "./service.ts";
import { createDeliveryStore, createRedeliveryStore } from "./store.ts";

export interface DeliveriesParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<DeliveryFact>;
  readonly webhooks: Config["webhooks"];
  /** The daemon's version. */
  readonly version: string;
  readonly channels: Channels;
  readonly secrets: ChannelSecrets;
  readonly assignments: Assignments;
  readonly runs: RunStore;
  readonly tasks: Tasks;
  /** Whether no delivery may be sent until a hold is released. */
  readonly isHeld: () => boolean;
}

export function openDeliveries(parts: DeliveriesParts) {
  const { db, clock, log, channels, secrets, version } = parts;
  const store = createDeliveryStore(db);
  const deliveries = createDeliveries({ store, channels, secrets, version });
  const redeliveries = createRedeliveries({
    log,
    store: createRedeliveryStore(db),
    failed: store,
    deliveries,
    secrets,
    channels,
  });
  const sender = createSender({ clock, version, ...parts.webhooks });
  const deliverer = createDeliverer({ ...parts, processClock: systemClock, store, deliveries, sender });
  return {
    service: deliveries,
    deliverer,
    // attempts in flight end after `halt`, before the database is closed
    loops: [{ start: deliverer.start, stop: deliverer.halt }],
    operations: serveDeliveries({ channels, deliveries, redeliveries }),
    events: deliveryEvents(deliveries),
    onChannelDeleting: deliveries.onChannelDeleting,
    ...createDeliveryReactions({ ...parts, deliveries }),
  };
}
