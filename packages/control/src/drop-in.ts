/** What a drop-in API is made of: routes, errors, and the verbs that it calls. */
export type { DropInApi } from "./api/drop-in.ts";
export type { ErrorReply } from "./api/http/error-reply.ts";
export { defineRoute, type Route } from "./api/http/route.ts";
export type { ListedDomain } from "./db/queries/applications/drop-in-domains.ts";
export type { HostnameFilter } from "./db/queries/applications/drop-in-pages.ts";
export type { Application } from "./domain/applications/application.ts";
export {
  type CloudflareStatuses,
  cloudflareStatuses,
} from "./domain/applications/cloudflare-statuses.ts";
export type { DropInFields, FallbackOrigin } from "./domain/applications/drop-in.ts";
export {
  type ConnectionState,
  connectionStates,
  holdsClaim,
} from "./domain/connections/connection.ts";
export { AppError, type ErrorCode, type Issue, invalid, notFound } from "./domain/errors.ts";
export { isObject } from "./domain/json.ts";
export { ownershipChallenge } from "./domain/ownership/ownership-challenge.ts";
export { setOwnCertificate } from "./services/certificates/own.ts";
export { deleteConnection } from "./services/connections/archive.ts";
export { verifyConnection } from "./services/connections/verify.ts";
export type { ServiceContext } from "./services/context.ts";
export {
  getFallbackOrigin,
  getNamedApplication,
  listNamedApplications,
  readId,
  removeFallbackOrigin,
  setFallbackOrigin,
} from "./services/drop-in/applications.ts";
export {
  addHostname,
  changeHostname,
  type HostnameInput,
  removeDomain,
} from "./services/drop-in/change-hostnames.ts";
export {
  findOwnDomain,
  listOwnDomains,
  type ObservedDns,
  observeDns,
} from "./services/drop-in/domains.ts";
export {
  canonical,
  type DropInHostname,
  findDomain,
  getHostname,
  isHeld,
  listDomains,
  listHostnames,
} from "./services/drop-in/hostnames.ts";
