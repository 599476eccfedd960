/** A reply of the API under test. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; throws when it is not JSON. */
  readonly json: () => Record<string, unknown>;
}

export interface Call {
  readonly method?: string;
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function call(base: string, path: string, options: Call = {}): Promise<Answer> {
  const hasBody = options.body !== undefined;
  const response = await fetch(base + path, {
    method: options.method ?? (hasBody ? "POST" : "GET"),
    headers: {
      ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...options.headers,
    },
    ...(hasBody ? { body: JSON.stringify(options.body) } : {}),
  });
  const text = await textOfResponse(response);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
}

/** Of an answer that never ends its first part. */
async function textOfResponse(response: Response): Promise<string> {
  const isEndless = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!isEndless || !response.body) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

/** A field of a JSON body that must be a string. */
export function textOf(answer: Answer, field: string): string {
  const value = answer.json()[field];
  if (typeof value !== "string") throw new Error(`${field} is not text in ${answer.text}`);
  return value;
}

/** The `error.code` of an error answer. */
export function codeOf(answer: Answer): unknown {
  const { error } = answer.json();
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
