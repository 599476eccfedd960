import fc from "fast-check";
import type { Fetch } from "../../src/providers/adapter/http.ts";

/** What befalls the request of this number, counted from 0. */
export interface Fault {
  readonly at: number;
  /**
   * - `before`: not carried out, answered 500
   * - `after`: carried out, answered 500
   * - `lost`: carried out, and the connection breaks
   * - `cut`: the answer ends in the middle
   * - `throttle`: not carried out, asked to wait a second
   */
  readonly kind: "before" | "after" | "lost" | "cut" | "throttle";
}

/** Up to a handful over the first requests of a call, in runs that outlast any retrying. */
export const faultsArbitrary: fc.Arbitrary<readonly Fault[]> = fc
  .tuple(
    fc.integer({ min: 0, max: 8 }),
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom<Fault["kind"]>("before", "after", "lost", "cut", "throttle"),
  )
  .map(([first, length, kind]) =>
    Array.from({ length }, (_, index): Fault => ({ at: first + index, kind })),
  );

/** The same backend, with the faults on the way. */
export function faulty(fetch: Fetch, faults: readonly Fault[]): Fetch {
  let sent = -1;
  return async (url, init) => {
    sent += 1;
    const fault = faults.find(({ at }) => at === sent);
    switch (fault?.kind) {
      case undefined:
        return fetch(url, init);
      case "before":
        return new Response("<html>error</html>", { status: 500 });
      case "throttle":
        return new Response("{}", { status: 429, headers: { "retry-after": "1" } });
      case "after":
        await (await fetch(url, init)).arrayBuffer();
        return new Response("<html>error</html>", { status: 500 });
      case "lost":
        await (await fetch(url, init)).arrayBuffer();
        throw new TypeError("the connection was reset");
      case "cut": {
        const answer = await fetch(url, init);
        const text = await answer.text();
        const { status } = answer;
        if (text === "" || status === 204) throw new TypeError("the connection was reset");
        return new Response(text.slice(0, Math.floor(text.length / 2)), { status });
      }
    }
  };
}
