/** The settings of sign-in and of our addresses at DNS providers, for the configuration page. */
export const signInDescriptions = {
  EGRESS_IPV4: {
    meaning:
      "The IPv4 addresses from which this service calls out, separated by commas. Customers of DNS providers that answer only to allowed addresses (Namecheap, Vultr) are shown them.",
  },
  EGRESS_IPV6: { meaning: "The same for IPv6." },
  OAUTH_CLOUDFLARE_CLIENT_ID: {
    meaning:
      "The OAuth client that you have registered at Cloudflare, with the redirect URL `BASE_URL/v1/connect/oauth/return`. With its secret, customers there are offered to sign in instead of making a token.",
  },
  OAUTH_CLOUDFLARE_CLIENT_SECRET: { meaning: "Its secret." },
  OAUTH_DIGITALOCEAN_CLIENT_ID: {
    meaning:
      "The OAuth client that you have registered at DigitalOcean, with the redirect URL `BASE_URL/v1/connect/oauth/return`. With its secret, customers there are offered to sign in instead of making a token.",
  },
  OAUTH_DIGITALOCEAN_CLIENT_SECRET: { meaning: "Its secret." },
  OAUTH_DNSIMPLE_CLIENT_ID: {
    meaning:
      "The OAuth client that you have registered at DNSimple, with the redirect URL `BASE_URL/v1/connect/oauth/return`. With its secret, customers there are offered to sign in instead of making a token.",
  },
  OAUTH_DNSIMPLE_CLIENT_SECRET: { meaning: "Its secret." },
  OAUTH_GOOGLE_CLOUD_CLIENT_ID: {
    meaning:
      "The OAuth client (web application) that you have registered at Google Cloud, with the redirect URL `BASE_URL/v1/connect/oauth/return`; enable the Cloud DNS and the Cloud Resource Manager API in its project, and have its consent screen verified for the scopes `ndev.clouddns.readwrite` and `cloud-platform.read-only`. The zone's project is found among those that the customer can see.",
  },
  OAUTH_GOOGLE_CLOUD_CLIENT_SECRET: { meaning: "Its secret." },
  OAUTH_NETLIFY_CLIENT_ID: {
    meaning:
      "The OAuth client that you have registered at Netlify, with the redirect URL `BASE_URL/v1/connect/oauth/return`. With its secret, customers there are offered to sign in instead of making a token.",
  },
  OAUTH_NETLIFY_CLIENT_SECRET: { meaning: "Its secret." },
  OAUTH_SANDBOX_CLIENT_ID: {
    meaning:
      "A client at an identity provider of your own, to try the sign-in with sandbox domains.",
  },
  OAUTH_SANDBOX_CLIENT_SECRET: { meaning: "Its secret." },
  OAUTH_SANDBOX_URL: {
    meaning:
      "Where that provider is: `/authorize`, `/token` and `/revoke` are below it. Its access token is `sandbox`.",
  },
  SENDING_API_URL: {
    meaning:
      "Where the APIs of Resend, Postmark and Amazon SES are instead of at the services themselves, below it as `/resend`, `/postmark` and `/ses`: for tests, or a proxy of yours.",
  },
} as const;

export const signInGroup = {
  title: "Sign-in at DNS providers",
  about:
    "With a registered client, customers sign in at their provider instead of making a token. What they allow is used for one plan and thrown away, unless the application has `keep_oauth`: then it is sealed, refreshed in time, used for later changes of the same connection, and ended when that is archived. Vercel is not among them: the scopes of Sign in with Vercel are those of an identity, and of the tokens that its integrations get, reading and removing domains is documented, writing DNS records is not.",
  variables: [
    "OAUTH_CLOUDFLARE_CLIENT_ID",
    "OAUTH_CLOUDFLARE_CLIENT_SECRET",
    "OAUTH_DIGITALOCEAN_CLIENT_ID",
    "OAUTH_DIGITALOCEAN_CLIENT_SECRET",
    "OAUTH_DNSIMPLE_CLIENT_ID",
    "OAUTH_DNSIMPLE_CLIENT_SECRET",
    "OAUTH_GOOGLE_CLOUD_CLIENT_ID",
    "OAUTH_GOOGLE_CLOUD_CLIENT_SECRET",
    "OAUTH_NETLIFY_CLIENT_ID",
    "OAUTH_NETLIFY_CLIENT_SECRET",
    "OAUTH_SANDBOX_CLIENT_ID",
    "OAUTH_SANDBOX_CLIENT_SECRET",
    "OAUTH_SANDBOX_URL",
    "SENDING_API_URL",
  ] as const,
};
