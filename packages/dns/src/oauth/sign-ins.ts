/**
 * Providers whose customers can allow a client to change their DNS by signing in (RFC 6749 §4.1
 * with RFC 7636). The operator registers the client; one engine serves all rows.
 */
export interface OAuthSignIn {
  readonly slug: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** RFC 7009; null where there is none. */
  readonly revokeUrl: string | null;
  readonly scopes: readonly string[];
  /** Asked for besides where the permission is retained: without it there is no refresh token. */
  readonly offlineScope: string | null;
  /** Parameters for the same, where it is not a scope. */
  readonly offlineQuery?: Readonly<Record<string, string>>;
  /** How the client proves itself at the token endpoint (RFC 6749 §2.3.1). */
  readonly clientAuthentication: "basic" | "body";
  /** The credential field that takes the access token. */
  readonly field: string;
}

export const oauthSignIns: readonly OAuthSignIn[] = [
  {
    slug: "cloudflare",
    authorizeUrl: "https://dash.cloudflare.com/oauth2/auth",
    tokenUrl: "https://dash.cloudflare.com/oauth2/token",
    revokeUrl: "https://dash.cloudflare.com/oauth2/revoke",
    scopes: ["dns.write", "zone.read"],
    offlineScope: "offline_access",
    clientAuthentication: "basic",
    field: "api_token",
  },
  {
    slug: "digitalocean",
    authorizeUrl: "https://cloud.digitalocean.com/v1/oauth/authorize",
    tokenUrl: "https://cloud.digitalocean.com/v1/oauth/token",
    revokeUrl: "https://cloud.digitalocean.com/v1/oauth/revoke",
    scopes: ["read", "write"],
    offlineScope: null,
    clientAuthentication: "body",
    field: "api_token",
  },
  {
    slug: "dnsimple",
    authorizeUrl: "https://dnsimple.com/oauth/authorize",
    tokenUrl: "https://api.dnsimple.com/v2/oauth/access_token",
    revokeUrl: null,
    scopes: [],
    offlineScope: null,
    clientAuthentication: "body",
    field: "api_token",
  },
  {
    slug: "google_cloud_dns",
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    revokeUrl: "https://oauth2.googleapis.com/revoke",
    // The zone's project is found among those that the customer can see.
    scopes: [
      "https://www.googleapis.com/auth/ndev.clouddns.readwrite",
      "https://www.googleapis.com/auth/cloud-platform.read-only",
    ],
    offlineScope: null,
    offlineQuery: { access_type: "offline", prompt: "consent" },
    clientAuthentication: "body",
    field: "access_token",
  },
  {
    slug: "netlify",
    authorizeUrl: "https://app.netlify.com/authorize",
    tokenUrl: "https://api.netlify.com/oauth/token",
    revokeUrl: null,
    scopes: [],
    offlineScope: null,
    clientAuthentication: "body",
    field: "api_token",
  },
  // An identity provider of the operator's own, to try the sign-in without a domain.
  {
    slug: "sandbox",
    authorizeUrl: "/authorize",
    tokenUrl: "/token",
    revokeUrl: "/revoke",
    scopes: ["dns"],
    offlineScope: "offline_access",
    clientAuthentication: "basic",
    field: "token",
  },
];

/** A row with the client that the operator registered. */
export interface OAuthClient extends OAuthSignIn {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  /** S256 of the verifier (RFC 7636 §4.2). */
  readonly codeChallenge: string;
  /** The permission is retained. */
  readonly isOffline: boolean;
}

export function authorizationUrl(
  { authorizeUrl, clientId, scopes: least, offlineScope, offlineQuery = {} }: OAuthClient,
  { redirectUri, state, codeChallenge, isOffline }: AuthorizationRequest,
): string {
  const url = new URL(authorizeUrl);
  const scopes = isOffline && offlineScope !== null ? [...least, offlineScope] : least;
  const query: Readonly<Record<string, string>> = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(isOffline ? offlineQuery : {}),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
