import { type OAuthTokens, revokeOAuthToken } from "@mooring/dns";
import type { Runtime } from "../runtime.ts";
import { findOAuthClient } from "./clients.ts";

const revokeTimeoutMs = 5_000;

/** The row goes first: what cannot be revoked is still gone here, and ends by itself. */
export async function revokeTokens(
  runtime: Runtime,
  provider: string,
  tokens: Pick<OAuthTokens, "accessToken" | "refreshToken">,
): Promise<void> {
  const client = findOAuthClient(runtime.config, provider);
  if (client === null) return;
  try {
    const signal = AbortSignal.timeout(revokeTimeoutMs);
    await revokeOAuthToken(client, runtime.egress.fetch, tokens, signal);
  } catch (error) {
    runtime.log.warn({ err: error, provider }, "oauth token not revoked");
  }
}
