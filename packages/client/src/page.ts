import { ApiPromise, type Answer } from "./api-promise.ts";
import { BelfryError } from "./errors.ts";

/** What every list answers: its items under their plural, and where the next page begins. */
export interface ListAnswer {
  readonly next_cursor: string | null;
}

/** What a list holds. */
export type ItemOf<L extends ListAnswer> = Extract<L[keyof L], readonly unknown[]>[number];

/** One page: the wire's object, and the way to the next. Iterating it goes on through all pages after it. */
export type Page<L extends ListAnswer> = L & PageWalk<L>;

/** The way from one page to the next. */
export interface PageWalk<L extends ListAnswer> {
  /** Whether another page follows. */
  hasNextPage(): boolean;
  /** The page that follows; throws where there is none. */
  getNextPage(): PagePromise<L>;
  [Symbol.asyncIterator](): AsyncGenerator<ItemOf<L>, void, undefined>;
}

/** A list under way: await it for one page, or iterate it for every item of all pages. */
export class PagePromise<L extends ListAnswer> extends ApiPromise<Page<L>> {
  constructor(answer: Promise<Answer<L>>, load: (cursor: string) => PagePromise<L>) {
    super(answer.then(({ data, response }) => ({ data: toPage(data, load), response })));
  }

  /** `for await (const task of client.tasks.list())`: pages are fetched as they are needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<L>, void, undefined> {
    yield* await this;
  }
}

/** The methods are not enumerable, so a page prints and serializes as what the wire said. */
function toPage<L extends ListAnswer>(answer: L, load: (cursor: string) => PagePromise<L>): Page<L> {
  const walk: PageWalk<L> = {
    hasNextPage: () => answer.next_cursor !== null,
    getNextPage: () => {
      if (answer.next_cursor === null) throw new BelfryError("This is the last page: ask hasNextPage() first.");
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

/** A list's only array is its items: the contract's `listOf` makes no other. */
function itemsOf<L extends ListAnswer>(answer: L): readonly ItemOf<L>[] {
  return (Object.values(answer).find(Array.isArray) ?? []) as ItemOf<L>[];
}
