import type { Page, WebhookEvent } from "@mooring/sdk";

export interface FollowOptions {
  /** Resolves after a while; rejects when the listening is over. */
  readonly pause: () => Promise<void>;
  /** Does the reading, again where it failed for a passing reason. */
  readonly persist: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * Events commit in another order than their times say; one that is seen late may be this much older
 * than one that was seen before.
 */
const overlapMs = 30_000;

/**
 * Yields events that happen from now on, oldest first and each once, by reading the list again and
 * again. `pages` begins anew with each call, newest first.
 */
export async function* followEvents(
  pages: () => AsyncIterable<Page<WebhookEvent>>,
  { pause, persist }: FollowOptions,
): AsyncGenerator<WebhookEvent> {
  let seen = new Map<string, number>();
  let newest = Number.NEGATIVE_INFINITY;
  for (let isFirst = true; ; isFirst = false) {
    const horizon = isFirst ? null : newest - overlapMs;
    const recent = await persist(() => eventsSince(pages(), horizon));
    const fresh = recent.filter(({ id }) => !seen.has(id));
    newest = Math.max(newest, ...recent.map(timeOf));
    for (const event of recent) seen.set(event.id, timeOf(event));
    seen = new Map([...seen].filter(([, at]) => at >= newest - overlapMs));
    if (!isFirst) yield* fresh.reverse();
    await pause();
  }
}

/** From the newest to the horizon; without one, as far as the overlap behind the newest. */
async function eventsSince(
  pages: AsyncIterable<Page<WebhookEvent>>,
  horizon: number | null,
): Promise<WebhookEvent[]> {
  const found: WebhookEvent[] = [];
  let end = horizon;
  for await (const { data } of pages) {
    for (const event of data) {
      end ??= timeOf(event) - overlapMs;
      if (timeOf(event) < end) return found;
      found.push(event);
    }
  }
  return found;
}

function timeOf(event: WebhookEvent): number {
  return Date.parse(event.created_at);
}
