import { type OAuthClient, oauthSignIns } from "@mooring/dns";
import type { Config } from "../../config/config.ts";

type Pair = readonly [id: string | null, secret: string | null];

function readPairs(config: Config): Readonly<Record<string, Pair>> {
  return {
    cloudflare: [config.oauthCloudflareClientId, config.oauthCloudflareClientSecret],
    digitalocean: [config.oauthDigitaloceanClientId, config.oauthDigitaloceanClientSecret],
    dnsimple: [config.oauthDnsimpleClientId, config.oauthDnsimpleClientSecret],
    google_cloud_dns: [config.oauthGoogleCloudClientId, config.oauthGoogleCloudClientSecret],
    netlify: [config.oauthNetlifyClientId, config.oauthNetlifyClientSecret],
    sandbox: [config.oauthSandboxClientId, config.oauthSandboxClientSecret],
  };
}

/** The sign-ins for which the operator has registered a client. */
export function oauthClients(config: Config): readonly OAuthClient[] {
  const pairs = readPairs(config);
  return oauthSignIns.flatMap((row) => {
    const [clientId, clientSecret] = pairs[row.slug] ?? [null, null];
    const base = config.oauthSandboxUrl;
    if (!clientId || !clientSecret) return [];
    if (!row.authorizeUrl.startsWith("/")) return [{ ...row, clientId, clientSecret }];
    if (!base) return [];
    const at = (path: string) => base.replace(/\/$/, "") + path;
    const [authorizeUrl, tokenUrl] = [at(row.authorizeUrl), at(row.tokenUrl)];
    const revokeUrl = row.revokeUrl === null ? null : at(row.revokeUrl);
    return [{ ...row, authorizeUrl, tokenUrl, revokeUrl, clientId, clientSecret }];
  });
}

export function findOAuthClient(config: Config, slug: string | null): OAuthClient | null {
  return oauthClients(config).find((client) => client.slug === slug) ?? null;
}
