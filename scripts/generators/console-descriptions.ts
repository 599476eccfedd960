/** How people sign in to the console. */
export const consoleDescriptions = {
  OIDC_ISSUER: {
    meaning:
      "Your OpenID Connect issuer, such as `https://id.example.com`; `http` on this machine only. Its redirect address is `BASE_URL/console/oidc/callback`. It must say that mail addresses are verified.",
    fallback: "no sign-in with OpenID Connect",
  },
  OIDC_CLIENT_ID: { meaning: "The client that the issuer knows; required with `OIDC_ISSUER`." },
  OIDC_CLIENT_SECRET: {
    meaning: "Its secret; a public client has none, PKCE is always used. A secret.",
  },
} as const;

/** How tenants pay. */
export const billingDescriptions = {
  STRIPE_SECRET_KEY: { meaning: "Enables billing. A secret." },
  STRIPE_WEBHOOK_SECRET: {
    meaning: "Verifies what Stripe sends; required with `STRIPE_SECRET_KEY`. A secret.",
  },
  STRIPE_API_BASE: { meaning: "Another address of Stripe's API, for tests." },
} as const;
