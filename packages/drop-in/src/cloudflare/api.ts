import type { DropInApi } from "@mooring/control/drop-in";
import { customHostnameRoutes } from "./custom-hostname-routes.ts";
import { errorReply, noRoute, replyHeaders } from "./errors.ts";
import { zoneRoutes } from "./zones.ts";

/**
 * Cloudflare's API of custom hostnames. A zone is an application, a custom hostname a connection.
 */
export const cloudflare: DropInApi = {
  prefix: "/compat/cloudflare/client/v4",
  routes: [...zoneRoutes, ...customHostnameRoutes],
  errorReply,
  noRoute,
  replyHeaders,
};
