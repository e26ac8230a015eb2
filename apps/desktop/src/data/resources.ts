import { eventKindsOf, type FilesystemWatcher, type Task, type Trigger } from "@belfry/client";
import { type Read, useRead } from "./read.ts";
import { useSession } from "./session.tsx";

// What is read under one key is read again after the same events wherever it is shown: the last page that asks decides
// about them. So each resource that several pages show is read here.

/** A task; null asks for none. */
export function useTask(id: string | null): Read<Task> {
  const { client } = useSession();
  return useRead(["task", id], (signal) => client.tasks.get(id!, { signal }), {
    kinds: eventKindsOf("tasks"),
    isWanted: id !== null,
  });
}

export function useTrigger(id: string): Read<Trigger> {
  const { client } = useSession();
  return useRead(["trigger", id], (signal) => client.triggers.get(id, { signal }), { kinds: eventKindsOf("triggers") });
}

export function useWatcher(id: string): Read<FilesystemWatcher> {
  const { client } = useSession();
  return useRead(["watcher", id], (signal) => client.watchers.get(id, { signal }), { kinds: eventKindsOf("watchers") });
}
