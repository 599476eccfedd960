/** The vendors whose APIs are served besides our own. */
export type DropInVendor = "cloudflare" | "vercel";

/** The origin that a vendor's zone has by default, as it was set through the vendor's API. */
export interface FallbackOrigin {
  readonly url: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a caller has sent in a vendor's words and is shown again. */
export type DropInFields = Readonly<Record<string, unknown>>;
