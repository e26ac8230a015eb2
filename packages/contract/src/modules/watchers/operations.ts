import { z } from "zod";
import { listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere, localOnly } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { QueryBoolean } from "../../core/scalars.ts";
import { FilesystemWatcher, FilesystemWatcherCreate, FilesystemWatcherPatch } from "./schemas.ts";

const module = { resource: "filesystem_watcher" } as const;
const read = { ...module, transports: everywhere, kind: "read", capability: "observe", audited: false } as const;
const operate = { ...module, transports: everywhere, kind: "write", capability: "operate", audited: true } as const;
// a definition says which files of this machine are read
const manage = { ...module, transports: localOnly, kind: "write", capability: "manage", audited: true } as const;
const answer = { kind: "json", status: 200, schema: FilesystemWatcher } as const;
const onOne = { method: "post", params: IdParams, errors: ["not_found"], conditional: true } as const;

export const watcherOperations = [
  defineOperation({
    ...read,
    id: "watchers.list",
    method: "get",
    path: "/filesystem-watchers",
    summary: "List filesystem watchers with their health, newest first; all of them unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      target_task_id: referenceTo("task").optional(),
      enabled: QueryBoolean.optional(),
      q: namePart("watchers"),
    }),
    response: {
      kind: "json",
      status: 200,
      schema: listOf("filesystem_watchers", FilesystemWatcher).meta({ id: "FilesystemWatcherList" }),
    },
    errors: [],
  }),
  defineOperation({
    ...manage,
    id: "watchers.create",
    method: "post",
    path: "/filesystem-watchers",
    summary: "Create a filesystem watcher: run a task when files change",
    description:
      "Existing files start no run. A path that does not exist, or that the daemon cannot read, is accepted: `health` reports the problem, and observation begins once it is solved.",
    body: FilesystemWatcherCreate,
    response: { kind: "json", status: 201, schema: FilesystemWatcher },
    errors: ["not_found"],
    replayedBy: "watchers.get",
    example: {
      name: "Inbox",
      kind: "directory",
      path: "/srv/inbox",
      pattern: "*.csv",
      target_task_id: "tsk_4fzH1TqWb8YkV0c2LxNd",
    },
  }),
  defineOperation({
    ...read,
    id: "watchers.get",
    method: "get",
    path: "/filesystem-watchers/{id}",
    summary: "Get a filesystem watcher with its health",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...manage,
    id: "watchers.update",
    method: "patch",
    path: "/filesystem-watchers/{id}",
    summary: "Change a filesystem watcher",
    description:
      "A change of `kind`, `path`, `pattern`, `recursive` or `enabled` drops file changes for which no run has been requested yet. Existing files start no run.",
    params: IdParams,
    body: FilesystemWatcherPatch,
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { pattern: "*.{csv,json}", debounce: "2s" },
  }),
  defineOperation({
    ...manage,
    id: "watchers.delete",
    method: "delete",
    path: "/filesystem-watchers/{id}",
    summary: "Delete a filesystem watcher",
    description:
      "File changes for which no run has been requested yet are dropped. Runs that the watcher has already queued are kept.",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found"],
    conditional: true,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "watchers.enable",
    path: "/filesystem-watchers/{id}/enable",
    summary: "Enable a filesystem watcher",
    description: "Existing files start no run.",
    response: answer,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "watchers.disable",
    path: "/filesystem-watchers/{id}/disable",
    summary: "Disable a filesystem watcher",
    description: "File changes for which no run has been requested yet are dropped. Active and queued runs continue.",
    response: answer,
  }),
] as const;
