/** The part of `fetch` that is used here; a guarded one is expected. */
export type Get = (
  url: string,
  init: {
    readonly signal: AbortSignal;
    readonly headers: Record<string, string>;
    readonly redirect: "manual";
  },
) => Promise<Response>;

export interface GetAnswer {
  readonly status: number;
  readonly body: string;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/**
 * One GET without credentials, within 5 s and 64 KiB. Null when there was no usable answer; a
 * redirect is an answer like another. Rejects only when the caller's signal is aborted.
 */
export async function get(fetch: Get, url: string, signal: AbortSignal): Promise<GetAnswer | null> {
  signal.throwIfAborted();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(url, { signal: limit, headers, redirect: "manual" });
    const body = await readUpTo(response, MAX_BYTES);
    return body === null ? null : { status: response.status, body };
  } catch {
    // Whatever went wrong on a stranger's server comes to the same; only our own abort differs.
    signal.throwIfAborted();
    return null;
  }
}

async function readUpTo(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
