import { createHmac } from "node:crypto";

/** The secret key over key, path with query, the absent request id, and body. */
export function sign(key: string, secret: string, pathAndQuery: string, body: string): string {
  const signed = [key, pathAndQuery, "", body].join("\n");
  return createHmac("sha256", secret).update(signed).digest("base64");
}
