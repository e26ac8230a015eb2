import { z } from "zod";
import { defineOperation, localOnly } from "../../core/operation.ts";
import { ResourceId, Timestamp } from "../../core/scalars.ts";

export const RuntimeInfo = z
  .object({
    data_dir: z.string(),
    database_path: z.string(),
    config_path: z.string().optional().meta({ description: "Present if a configuration file is in use" }),
    log_path: z.string(),
    lock_path: z.string(),
    fire_socket: z
      .object({
        path: z.string(),
        mode: z.enum(["0600", "0660", "0666"]),
        group: z.string().nullable().meta({
          description: "The group as the configuration names it; null for the group of the daemon",
        }),
      })
      .optional()
      .meta({
        description: "The socket on which holders of trigger keys can fire, and do nothing else. Present if it is on",
      }),
    storage_faults: z.array(z.object({ path: z.string(), message: z.string() })).meta({
      description:
        "Files that were removed or replaced while the daemon was running, and that the daemon cannot restore. Normally empty",
    }),
    unsafe_files: z.array(z.object({ path: z.string(), message: z.string() })).meta({
      description:
        "The configuration file, and the private key that it names, if another user can change or read them. Normally empty",
    }),
    silent_runners: z.array(z.object({ pid: z.int(), since: Timestamp })).meta({
      description:
        "Runner processes that do not respond. Runs that they have started wait for them; other runs start in another runner. Normally empty",
    }),
    held_outputs: z.array(z.object({ pid: z.int(), held: z.int(), max: z.int() })).meta({
      description:
        "Runner processes in which background processes hold the output of many ended tasks: `held` is at least half of `max`. At `max`, no task can start. Normally empty",
    }),
    paused_starts: z.array(z.object({ run_id: ResourceId, unanswered: z.int(), until: Timestamp })).meta({
      description:
        "Runs whose order to start was left unanswered by several runner processes in a row, how often, and when it is sent again. Normally empty",
    }),
  })
  .meta({ id: "RuntimeInfo" });
export type RuntimeInfo = z.output<typeof RuntimeInfo>;

export const runtimeInfoOperations = [
  defineOperation({
    id: "runtime_info.get",
    method: "get",
    path: "/runtime-info",
    summary: "Get the absolute paths that the running daemon uses",
    kind: "read",
    capability: "observe",
    transports: localOnly,
    audited: false,
    resource: "daemon",
    response: { kind: "json", status: 200, schema: RuntimeInfo },
    errors: [],
  }),
] as const;
