import { createHmac } from "node:crypto";

export interface WebsupportKeys {
  readonly apiKey: string;
  readonly secret: string;
}

/**
 * The headers of one request. The signature is made over the method, the path without its query,
 * and the second; it is the password of a login. Version 1 reads the time from `Date`, version 2
 * from `X-Date`.
 */
export function signRequest(
  { method, url }: { readonly method: string; readonly url: string },
  { apiKey, secret }: WebsupportKeys,
  at: Date,
): Readonly<Record<string, string>> {
  const second = Math.floor(at.getTime() / 1_000);
  const canonical = `${method} ${new URL(url).pathname} ${second}`;
  const signature = createHmac("sha1", secret).update(canonical).digest("hex");
  const login = Buffer.from(`${apiKey}:${signature}`).toString("base64");
  const date = at.toISOString().replace(/\.\d+Z$/, "Z");
  return { authorization: `Basic ${login}`, date, "x-date": date };
}
