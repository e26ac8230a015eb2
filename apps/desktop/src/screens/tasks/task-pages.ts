import { type Client, eventKindsOf, type Task } from "@belfry/client";
import { type PagesRead, useReadPages } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

export type TaskQuestion = Omit<NonNullable<Parameters<Client["tasks"]["list"]>[0]>, "limit" | "cursor" | "recent">;

/** The tasks of one answer. */
export const pageMax = 100;

/** Tasks with their newest outcomes, page by page. */
export function useTaskPages(question: TaskQuestion, isWanted = true): PagesRead<Task> {
  const { client } = useSession();
  return useReadPages(
    ["tasks", question],
    async (cursor, signal) => {
      const page = await client.tasks.list({ ...question, recent: 20, limit: pageMax, cursor }, { signal });
      return { items: page.tasks, next: page.next_cursor };
    },
    { kinds: eventKindsOf("tasks"), isWanted },
  );
}
