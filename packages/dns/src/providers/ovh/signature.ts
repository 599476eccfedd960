import { createHash } from "node:crypto";

export interface OvhKeys {
  readonly applicationKey: string;
  readonly applicationSecret: string;
  readonly consumerKey: string;
}

export interface OvhRequest {
  readonly method: string;
  /** The full address with its query, exactly as it is sent. */
  readonly url: string;
  readonly body: string;
}

/** `timestamp` is the server's time in seconds; a clock that differs much is refused. */
export function signOvh(
  { method, url, body }: OvhRequest,
  keys: OvhKeys,
  timestamp: number,
): Readonly<Record<string, string>> {
  const parts = [keys.applicationSecret, keys.consumerKey, method, url, body, timestamp];
  const digest = createHash("sha1").update(parts.join("+"), "utf8").digest("hex");
  return {
    "x-ovh-application": keys.applicationKey,
    "x-ovh-consumer": keys.consumerKey,
    "x-ovh-timestamp": String(timestamp),
    "x-ovh-signature": `$1$${digest}`,
  };
}
