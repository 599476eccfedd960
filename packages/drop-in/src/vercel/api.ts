import type { DropInApi } from "@mooring/control/drop-in";
import { domainRoutes } from "./domain-routes.ts";
import { errorReply, noRoute } from "./errors.ts";
import { projectDomainRoutes } from "./project-domain-routes.ts";
import { projectRoutes } from "./projects.ts";

/** Vercel's API of project domains. A project is an application, a domain a connection. */
export const vercel: DropInApi = {
  prefix: "/compat/vercel",
  routes: [...projectRoutes, ...projectDomainRoutes, ...domainRoutes],
  errorReply,
  noRoute,
};
