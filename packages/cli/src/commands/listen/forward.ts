import { signWebhook, type WebhookEvent } from "@mooring/sdk";

const timeoutMs = 15_000;

/** How a local receiver took an event; it is not tried again. */
export type Forwarded =
  | { readonly status: number; readonly ms: number }
  | { readonly error: string; readonly ms: number };

/** Sends an event as the service would, signed with this session's own secret. */
export async function forwardEvent(
  url: string,
  event: WebhookEvent,
  secret: string,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: await signWebhook(body, { secret, id: event.id, type: event.type }),
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return { status: response.status, ms: elapsed() };
  } catch (error) {
    signal.throwIfAborted();
    return { error: reasonOf(error), ms: elapsed() };
  }
}

/** `fetch` says only that it failed; why stands in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? cause.message || error.message : error.message;
}
