export interface Account {
  readonly id: string;
  readonly shop: string;
  readonly email: string;
}

export interface Domain {
  readonly id: string;
  readonly hostname: string;
  readonly state: string;
  readonly problem: string | null;
}

export interface Session {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly token: string;
}

/** An answer of our own backend; a refusal is an error with its text. */
export async function api<T>(path: string, method = "GET", body?: object): Promise<T> {
  const answer = await fetch(`/api/${path}`, {
    method,
    ...(body
      ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
      : {}),
  });
  const value = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Error(value?.problem ?? `The server answered ${answer.status}.`);
  return value;
}
