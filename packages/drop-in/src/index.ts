import type { DropInApi } from "@mooring/control/drop-in";
import { cloudflare } from "./cloudflare/api.ts";
import { vercel } from "./vercel/api.ts";

/** The drop-in APIs, as the API process serves them. */
export const dropIns: readonly DropInApi[] = [cloudflare, vercel];
