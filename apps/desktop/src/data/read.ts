import type { EventKind } from "@belfry/client";
import { hashKey, keepPreviousData, useInfiniteQuery, useIsFetching, useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { readAfter } from "./query-client.ts";

/**
 * What the screens know of something: nothing yet (`data` and `error` are null), its data, or why there is none. Data
 * with an error is what was known before the last try failed.
 */
export interface Read<T> {
  readonly data: T | null;
  readonly error: unknown;
  /** When the data was read. */
  readonly readAt: number;
  readonly isReading: boolean;
  /** The data belongs to the former question. */
  readonly isFormer: boolean;
  readonly again: () => void;
}

export interface ReadOptions {
  /** The kinds of events after which the data is read again. The same for all that use one key: it is read once for them. */
  readonly kinds: readonly EventKind[] | "all";
  readonly isWanted?: boolean;
  /** Read again after so many milliseconds, also without an event. */
  readonly everyMs?: number;
  /** Show the former answer while another question is asked. */
  readonly keepsFormer?: boolean;
  /** How long an answer is kept that no page shows any more, instead of five minutes. */
  readonly keptMs?: number;
}

/** Reads once, and again after each event that concerns the data. `key` names what is read. */
export function useRead<T>(
  key: readonly unknown[],
  read: (signal: AbortSignal) => Promise<T>,
  options: ReadOptions,
): Read<T> {
  const { kinds, isWanted = true, everyMs, keepsFormer = false, keptMs } = options;
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    enabled: isWanted,
    meta: { kinds },
    ...(everyMs === undefined ? {} : { refetchInterval: readAfter(everyMs) }),
    ...(keepsFormer ? { placeholderData: keepPreviousData } : {}),
    ...(keptMs === undefined ? {} : { gcTime: keptMs }),
  });
  const error = useLastError(query);
  return {
    data: query.data ?? null,
    error,
    readAt: query.dataUpdatedAt,
    isReading: query.isFetching,
    isFormer: query.isPlaceholderData,
    again: () => void query.refetch(),
  };
}

export interface PagesRead<T> extends Read<readonly T[]> {
  /** Names the question to which the data belongs. */
  readonly question: string;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly more: () => void;
}

interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Reads a list page by page, and all read pages again after each event that concerns them. */
export function useReadPages<T>(
  key: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
  options: ReadOptions,
): PagesRead<T> {
  const { kinds, isWanted = true, keepsFormer = true } = options;
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: isWanted,
    meta: { kinds },
    ...(keepsFormer ? { placeholderData: keepPreviousData } : {}),
  });
  const pages = query.data?.pages;
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? null, [pages]);
  const error = useLastError(query);
  const question = useAnswered(hashKey(key), query.isPlaceholderData);
  return {
    data: items,
    question,
    error,
    readAt: query.dataUpdatedAt,
    isReading: query.isFetching,
    isFormer: query.isPlaceholderData,
    again: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    more: () => void (query.isFetching ? null : query.fetchNextPage()),
  };
}

/** Names the question to which the data belongs: the former one until `question` has been answered. */
export function useAnswered(question: string, isFormer: boolean): string {
  const answered = useRef(question);
  if (!isFormer) answered.current = question;
  return answered.current;
}

/** Whether something that the page shows is being read for the first time. */
export function useIsFirstRead(): boolean {
  return useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
}

/** What is known of a failure stays while the next try goes on, so that nothing jumps. */
function useLastError(query: {
  readonly data: unknown;
  readonly error: unknown;
  readonly errorUpdateCount: number;
}): unknown {
  const { data, error, errorUpdateCount } = query;
  const [last, setLast] = useState<unknown>(null);
  if (error !== null && error !== last) setLast(error);
  return error ?? (data === undefined && errorUpdateCount > 0 ? last : null);
}
