/** What a handler wants to be sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function html(status: number, body: string): Answer {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

export function json(status: number, body: unknown): Answer {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(body) };
}

/** Back to the service, with parameters added to whatever its address has. */
export function sendBack(
  address: string,
  parameters: Readonly<Record<string, string | null>>,
): Answer {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return { status: 302, headers: { location: url.href }, body: "" };
}
