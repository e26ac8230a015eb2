import { ApiPromise, type Answer } from "./api-promise.ts";
import { BelfryError } from "./errors.ts";

/** The answer of every list. It also has a member with the items, such as `tasks`. `next_cursor` is null on the last page. */
export interface ListAnswer {
  readonly next_cursor: string | null;
}

/** The type of a list's items. */
export type ItemOf<L extends ListAnswer> = Extract<L[keyof L], readonly unknown[]>[number];

/** One page: the JSON object, with methods to get the next page. Iterating it yields the items of this and all later pages. */
export type Page<L extends ListAnswer> = L & PageWalk<L>;

/** The methods of a page. */
export interface PageWalk<L extends ListAnswer> {
  /** Whether another page follows. */
  hasNextPage(): boolean;
  /** Loads the next page. Throws a {@link BelfryError} if this is the last page. */
  getNextPage(): PagePromise<L>;
  [Symbol.asyncIterator](): AsyncGenerator<ItemOf<L>, void, undefined>;
}

/** A list call in progress. Await it for one page, or iterate it for the items of all pages. */
export class PagePromise<L extends ListAnswer> extends ApiPromise<Page<L>> {
  constructor(answer: Promise<Answer<L>>, load: (cursor: string) => PagePromise<L>) {
    super(answer.then(({ data, response }) => ({ data: toPage(data, load), response })));
  }

  /** `for await (const task of client.tasks.list())` loads each page when it is needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<L>, void, undefined> {
    yield* await this;
  }
}

/** Adds the methods as non-enumerable members, so that a page prints and serializes as the JSON object. */
function toPage<L extends ListAnswer>(answer: L, load: (cursor: string) => PagePromise<L>): Page<L> {
  const walk: PageWalk<L> = {
    hasNextPage: () => answer.next_cursor !== null,
    getNextPage: () => {
      if (answer.next_cursor === null) throw new BelfryError("There is no next page. Check hasNextPage() first.");
      return load(answer.next_cursor);
    },
    async *[Symbol.asyncIterator]() {
      yield* itemsOf(answer);
      if (answer.next_cursor !== null) yield* load(answer.next_cursor);
    },
  };
  for (const name of Reflect.ownKeys(walk)) Object.defineProperty(answer, name, { value: Reflect.get(walk, name) });
  return answer as Page<L>;
}

/** Finds the items by type: a list answer has exactly one array, because the contract's `listOf` defines no other. */
export function itemsOf<L extends ListAnswer>(answer: L): readonly ItemOf<L>[] {
  return (Object.values(answer).find(Array.isArray) ?? []) as ItemOf<L>[];
}
