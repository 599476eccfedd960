/** The vendors whose APIs are served besides our own. */
export type DropInVendor = "cloudflare" | "vercel";

/** What a caller has sent in a vendor's words and is shown again. */
export type DropInFields = Readonly<Record<string, unknown>>;
