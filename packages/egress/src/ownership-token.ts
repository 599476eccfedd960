import { createHmac } from "node:crypto";

/**
 * What Cloudflare's API calls the HTTP verification of a custom hostname: a token at a URL of the
 * name. Edge and control plane compute it alike, so that an edge answers for a name before it knows
 * the name. It shows where requests arrive, and proves nothing about who owns the name.
 */

const tokenPath = "/.well-known/cf-custom-hostname-challenge/";

/** Our ids are UUIDs of version 7 (RFC 9562); the vendor's own, which an origin may serve, of 4. */
const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A key for these tokens alone, of a secret that the edges and the API of an installation have. */
export function deriveOwnershipTokenKey(secret: Uint8Array): Buffer {
  return createHmac("sha256", secret).update("mooring/ownership-token/v1").digest();
}

/** In the vendor's form, which is that of a UUID. */
export function ownershipToken(key: Uint8Array, hostname: string, connectionId: string): string {
  const mac = createHmac("sha256", key).update(`${hostname}\n${connectionId}`).digest("hex");
  return mac.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** Where the token of a name is. */
export function ownershipTokenUrl(hostname: string, connectionId: string): string {
  return `http://${hostname}${tokenPath}${connectionId}`;
}

/** The connection that the target of a request asks the token of; null for other targets. */
export function readOwnershipTokenId(target: string): string | null {
  if (!target.startsWith(tokenPath)) return null;
  const id = target.slice(tokenPath.length).split("?")[0] ?? "";
  return idForm.test(id) ? id : null;
}
