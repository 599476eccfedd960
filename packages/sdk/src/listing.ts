/** One page of a list, as the API returns it. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * A list whose pages are fetched as it is iterated: `for await (const item of listing)` yields
 * every item, `pages()` yields whole pages. Each iteration starts at the query's cursor; leaving
 * the loop stops the requests.
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

/** Calls `fetchPage` with the list's query and the cursor of each page. */
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
