import { ProviderError } from "./errors.ts";
import type { Explain, HttpRequest, ProviderHttp } from "./http.ts";
import { type Decoder, decodeJson } from "./json.ts";

export interface JsonApiOptions {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly explain: Explain;
  /**
   * Headers that depend on the request or are fetched first, such as a signature or a token; made
   * again for each attempt.
   */
  readonly authorize?: (
    request: { readonly method: string; readonly url: string; readonly body: string },
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, string>>>;
}

export interface JsonCall {
  readonly method?: HttpRequest["method"];
  /** Appended to the base address; segments must be encoded already. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotent?: boolean;
  readonly closingSlash?: boolean;
}

export interface JsonApi {
  /** GET by default; returns the decoded answer. */
  read<T>(call: JsonCall, decoder: Decoder<T>, signal: AbortSignal): Promise<T>;
  /** The same with the answer's headers, for APIs that page by them. */
  page<T>(
    call: JsonCall,
    decoder: Decoder<T>,
    signal: AbortSignal,
  ): Promise<{ readonly body: T; readonly headers: Headers }>;
  /** Ignores the answer's body. */
  write(
    call: JsonCall & { readonly method: "POST" | "PUT" | "PATCH" | "DELETE" },
    signal: AbortSignal,
  ): Promise<void>;
}

/** A JSON API under one base URL with constant headers. */
export function jsonApi(http: ProviderHttp, options: JsonApiOptions): JsonApi {
  const send = async (call: JsonCall, signal: AbortSignal) => {
    const { method = "GET", idempotent, closingSlash } = call;
    const url = `${options.baseUrl}${call.path}${queryString(call.query)}`;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const { authorize } = options;
    const request: HttpRequest = {
      method,
      url,
      headers: {
        ...options.headers,
        ...call.headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
      ...(authorize === undefined
        ? {}
        : { sign: (waiting) => authorize({ method, url, body: body ?? "" }, waiting) }),
      ...(idempotent === undefined ? {} : { idempotent }),
      ...(closingSlash === undefined ? {} : { closingSlash }),
    };
    return http.send(request, signal, options.explain);
  };
  return {
    async read(call, decoder, signal) {
      return decodeJson(await send(call, signal), decoder);
    },
    async page(call, decoder, signal) {
      const answer = await send(call, signal);
      return { body: decodeJson(answer, decoder), headers: answer.headers };
    },
    async write(call, signal) {
      await send(call, signal);
    },
  };
}

function queryString(query: JsonCall["query"]): string {
  if (query === undefined) return "";
  const pairs = Object.entries(query).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeValue(value)}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** A cursor comes from the provider, and half of a character cannot be sent back. */
function encodeValue(value: string | number): string {
  const text = String(value);
  if (text.isWellFormed()) return encodeURIComponent(text);
  throw new ProviderError("unavailable", "The provider's answer names a page by no valid text.");
}

/** Far more than any zone has; reaching it means that the provider's paging loops. */
const maxPages = 1_000;

/**
 * Collects all pages. `fetchPage` gets the cursor of the page (null for the first) and answers its
 * items and the next cursor, null after the last.
 */
export async function allPages<T, C>(
  fetchPage: (
    cursor: C | null,
  ) => Promise<{ readonly items: readonly T[]; readonly next: C | null }>,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: C | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const answer: { readonly items: readonly T[]; readonly next: C | null } =
      await fetchPage(cursor);
    items.push(...answer.items);
    if (answer.next === null) return items;
    cursor = answer.next;
  }
  throw new ProviderError("unavailable", "The provider's list of pages does not end.");
}

/** Refuses a list that is shorter than the provider states; it must not be planned on. */
export function requireCount(items: readonly unknown[], stated: number): void {
  if (items.length < stated) {
    throw new ProviderError(
      "unavailable",
      `The provider announced ${stated} entries and listed ${items.length}.`,
    );
  }
}

/**
 * Collects all pages of a list that states how many entries it has. `fetchPage` gets the number of
 * the page, from 1. A list that ends before is an error.
 */
export async function countedPages<T>(
  fetchPage: (page: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
): Promise<readonly T[]> {
  let stated = 0;
  let received = 0;
  const items = await allPages(async (cursor: number | null) => {
    const page = cursor ?? 1;
    const answer = await fetchPage(page);
    stated = answer.total;
    received += answer.items.length;
    const hasMore = received < stated && answer.items.length > 0;
    return { items: answer.items, next: hasMore ? page + 1 : null };
  });
  requireCount(items, stated);
  return items;
}

/**
 * The same where `fetchPage` gets how many entries to skip, so that a server may give fewer at once
 * than it was asked for.
 */
export async function offsetPages<T>(
  fetchPage: (offset: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
): Promise<readonly T[]> {
  let received = 0;
  return countedPages(async () => {
    const answer = await fetchPage(received);
    received += answer.items.length;
    return answer;
  });
}

/**
 * Collects all pages of a list whose pages have numbers, from 1. Where the provider states a
 * `total`, a list with fewer entries is an error.
 */
export async function numberedPages<T>(
  fetchPage: (page: number) => Promise<{
    readonly items: readonly T[];
    readonly hasMore: boolean;
    readonly total?: number;
  }>,
): Promise<readonly T[]> {
  let stated = 0;
  const items = await allPages(async (cursor: number | null) => {
    const page = cursor ?? 1;
    const { items: some, hasMore, total = 0 } = await fetchPage(page);
    stated = total;
    return { items: some, next: hasMore ? page + 1 : null };
  });
  requireCount(items, stated);
  return items;
}

/** For deletions: a record that does not exist needs no deletion. */
export async function ignoreNotFound(deletion: Promise<void>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === "not_found")) throw error;
  }
}
