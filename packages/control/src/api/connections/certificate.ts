import {
  clearOwnCertificate,
  SetCertificate,
  setOwnCertificate,
} from "../../services/certificates/own.ts";
import { retryConnectionCertificate } from "../../services/certificates/retry.ts";
import { getConnection } from "../../services/connections/read.ts";
import { defineRoute, IdParams } from "../http/route.ts";
import { ConnectionDetailBody, connectionDetailBody } from "./connections.ts";

export const setCertificateRoute = defineRoute({
  method: "PUT",
  path: "/v1/connections/{id}/certificate",
  tag: "Connections",
  summary: "Serve an own certificate",
  description:
    "For a hostname whose ownership is proven. The key must be that of the first certificate, each certificate signed by the next, the names cover the hostname. The edge serves it within two seconds, and no other is ordered until shortly before it ends. The same certificate again changes nothing.",
  scopes: ["connections:write"],
  role: "developer",
  readConnection: getConnection,
  params: IdParams,
  body: SetCertificate,
  output: ConnectionDetailBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params, body }) => setOwnCertificate(ctx, params.id, body),
  reply: connectionDetailBody,
});

export const clearCertificateRoute = defineRoute({
  method: "DELETE",
  path: "/v1/connections/{id}/certificate",
  tag: "Connections",
  summary: "Go back to automatic certificates",
  description:
    "An automatic certificate is obtained at once; the own one is served until it is there. Without an own certificate nothing changes.",
  scopes: ["connections:write"],
  role: "developer",
  readConnection: getConnection,
  params: IdParams,
  output: ConnectionDetailBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => clearOwnCertificate(ctx, params.id),
  reply: connectionDetailBody,
});

export const retryCertificateRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/certificate:retry",
  tag: "Connections",
  summary: "Order the certificate again now",
  description:
    "For an order that failed or waits. The order still takes its turn in the CA's limits. 409 when there is nothing to retry.",
  scopes: ["connections:write"],
  role: "support",
  readConnection: getConnection,
  params: IdParams,
  output: ConnectionDetailBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => retryConnectionCertificate(ctx, params.id),
  reply: connectionDetailBody,
});
