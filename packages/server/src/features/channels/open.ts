import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Db } from "../../kernel/storage/database.ts";
import { createChannelSecrets } from "./channel-secrets.ts";
import type { EndpointRules } from "./endpoint.ts";
import { channelEvents } from "./events.ts";
import { serveChannels } from "./operations.ts";
import { createChannels } from "./service.ts";
import { createChannelStore, createFormerSecretStore } from "./store.ts";

export interface ChannelsParts {
  readonly db: Db;
  readonly sealing: Sealing;
  readonly rules: EndpointRules;
}

export function openChannels({ db, sealing, rules }: ChannelsParts) {
  const secrets = createChannelSecrets(sealing, createFormerSecretStore(db));
  const service = createChannels({ store: createChannelStore(db), secrets, rules });
  return {
    service,
    secrets,
    operations: serveChannels(service),
    events: channelEvents(service),
    revisions: { notification_channel: (id: string) => service.find(id)?.revision },
  };
}
