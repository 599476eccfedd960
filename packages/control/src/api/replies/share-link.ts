import { z } from "zod";
import type { NewShareLink } from "../../services/share/links.ts";
import { Time, time } from "./time.ts";

export const ShareLinkBody = z
  .object({
    url: z.url().describe("Anybody who has it can read the page; it is shown this once"),
    expires_at: Time,
  })
  .meta({ id: "ShareLink" });

export function shareLinkBody({ url, expiresAt }: NewShareLink): z.input<typeof ShareLinkBody> {
  return { url, expires_at: time(expiresAt) };
}
