/** What the groups of operations are about. The document cannot be made while one is missing. */
const descriptions: Readonly<Record<string, string>> = {
  Connections:
    "A connection is a customer's hostname on its way to your product: ownership, DNS records, certificate, and what became of them.",
  Applications:
    "An application is your product: where the edge sends visitors, which pages may show the widget, and which records customers add.",
  "API keys": "Keys of your backend. A secret is shown once; lists have only its last characters.",
  Credentials: "Delegated access to DNS providers, with which records are written for you.",
  Tokens: "Short-lived tokens for the widget in a customer's browser, minted by your backend.",
  Widget: "What the widget in a customer's browser reads about its application.",
  Webhooks: "Receivers of events, the log of deliveries to them, and replays.",
  Events:
    "What the service posts to your receivers. Each delivery is signed: verify `X-Svc-Signature` over the raw body.",
  Domains: "What a domain's DNS says, and who can write it, before anything is connected.",
  Email: "DNS records for mailbox providers: MX, SPF, DKIM and DMARC.",
  Traffic:
    "What visitors ask of your customers' names, as the edges count it. Nothing about a visitor is stored.",
  Usage: "Metered counters of the current period, plans and subscriptions.",
  Sandbox: "Zones under `.test`, with which the test environment is tried without a domain.",
  "Members and sessions": "The people of a tenant, their sign-ins, and what was done by whom.",
  Operator: "Read-only views over all tenants, for the people who run the service.",
};

/** The tags in the order of their first use, then that of the webhooks. */
export function documentedTags(
  used: readonly string[],
): readonly { readonly name: string; readonly description: string }[] {
  return [...new Set([...used, "Events"])].map((name) => {
    const description = descriptions[name];
    if (description === undefined) throw new Error(`the tag ${name} has no description`);
    return { name, description };
  });
}
