import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { DescribeRun, Requests, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import { fireCommand } from "./fire-command.ts";
import { createExplainTriggers } from "./explain.ts";
import { createFire } from "./fire.ts";
import { triggerEvents } from "./events.ts";
import { createKeys } from "./keys.ts";
import { createMembers } from "./members.ts";
import { serveTriggers } from "./operations.ts";
import { createTriggers } from "./service.ts";
import { createTriggerStore } from "./store.ts";

export interface TriggersParts {
  readonly db: Db;
  readonly sealing: Sealing;
  /** The socket that others can use, for the command that is returned with a key. */
  readonly socket: string;
  readonly tasks: Tasks;
  readonly runs: RunStore;
  readonly requests: Requests;
  readonly describeRun: DescribeRun;
  /** Returns the name of a trigger set, from a module that imports this one. */
  readonly setNameOf: (setId: string) => string;
}

export function openTriggers({ db, sealing, socket, tasks, runs, requests, describeRun, setNameOf }: TriggersParts) {
  const store = createTriggerStore(db);
  const parts = { store, keys: createKeys(sealing), command: fireCommand(socket) };
  const service = createTriggers({ ...parts, tasks, setNameOf });
  const fire = createFire({ store, tasks, requests, runs });
  return {
    service,
    fire,
    explain: createExplainTriggers({ store, runs, describeRun }),
    members: createMembers(parts),
    operations: serveTriggers({ triggers: service, fire, tasks }),
    events: triggerEvents(service),
    revisions: { trigger: (id: string) => service.find(id)?.revision },
  };
}
