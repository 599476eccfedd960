/** One page, as the API gives it. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * A list that is fetched while it is read: `for await (const item of listing)` goes over every
 * item, `pages()` over whole pages. Each iteration begins anew; leaving a loop fetches no more.
 */
export interface Listing<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
  /** The page at the query's cursor, by default the first. */
  page(): Promise<Page<T>>;
  /** Every item, in order; as many requests as there are pages. */
  toArray(): Promise<T[]>;
}

interface Paged {
  readonly cursor?: string;
}

/** `fetchPage` is given the query of the list, with the cursor of the page that is wanted. */
export function listing<T, Q extends Paged>(
  query: Q,
  fetchPage: (query: Q) => Promise<Page<T>>,
): Listing<T> {
  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await fetchPage(query);
    yield page;
    while (page.next_cursor !== null) {
      page = await fetchPage({ ...query, cursor: page.next_cursor });
      yield page;
    }
  }
  async function* items(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.data;
  }
  return {
    [Symbol.asyncIterator]: items,
    pages,
    page: () => fetchPage(query),
    async toArray() {
      const all: T[] = [];
      for await (const item of items()) all.push(item);
      return all;
    },
  };
}
