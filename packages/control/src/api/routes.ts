import {
  createApplicationRoute,
  getApplicationRoute,
  listApplicationsRoute,
  updateApplicationRoute,
} from "./applications.ts";
import {
  createSubscriptionRoute,
  getSubscriptionRoute,
  getUsageRoute,
  listPlansRoute,
} from "./billing.ts";
import { clearCertificateRoute, setCertificateRoute } from "./connection-certificate.ts";
import { applyRecordsRoute, checkRecordsRoute, revertRecordsRoute } from "./connection-records.ts";
import {
  createBatchRoute,
  createConnectionRoute,
  deleteConnectionRoute,
  getConnectionRoute,
  listConnectionsRoute,
  updateConnectionRoute,
  verifyConnectionRoute,
} from "./connections.ts";
import {
  deleteCredentialRoute,
  listCredentialsRoute,
  storeCredentialRoute,
  tryCredentialRoute,
} from "./credentials.ts";
import { diagnoseConnectionRoute } from "./diagnosis.ts";
import { getDomainConnectTemplateRoute, startDomainConnectRoute } from "./domain-connect.ts";
import { checkDomainRoute } from "./domains.ts";
import { applyEmailRoute, generateEmailRoute } from "./email.ts";
import { listConnectionEventsRoute, listEventsRoute } from "./events.ts";
import { createKeyRoute, listKeysRoute, mintTokenRoute, revokeKeyRoute } from "./keys.ts";
import { startOAuthRoute } from "./oauth.ts";
import { listProvidersRoute } from "./providers.ts";
import type { Route } from "./route.ts";
import {
  deleteSandboxZoneRoute,
  getSandboxZoneRoute,
  listSandboxZonesRoute,
  putSandboxZoneRoute,
} from "./sandbox-zones.ts";
import { shareConnectionRoute } from "./share.ts";
import {
  createEndpointRoute,
  deleteEndpointRoute,
  getEndpointRoute,
  listDeliveriesRoute,
  listEndpointsRoute,
  replayDeliveryRoute,
  replaySinceRoute,
  rotateEndpointSecretRoute,
  sendTestRoute,
  updateEndpointRoute,
} from "./webhook-endpoints.ts";
import { getWidgetSettingsRoute } from "./widget-settings.ts";

/** Every endpoint under /v1, in the order in which the reference shows them. */
export const routes: readonly Route[] = [
  createConnectionRoute,
  createBatchRoute,
  listConnectionsRoute,
  getConnectionRoute,
  updateConnectionRoute,
  deleteConnectionRoute,
  setCertificateRoute,
  clearCertificateRoute,
  verifyConnectionRoute,
  checkRecordsRoute,
  applyRecordsRoute,
  revertRecordsRoute,
  startDomainConnectRoute,
  startOAuthRoute,
  applyEmailRoute,
  diagnoseConnectionRoute,
  shareConnectionRoute,
  listConnectionEventsRoute,
  createApplicationRoute,
  listApplicationsRoute,
  getApplicationRoute,
  updateApplicationRoute,
  getDomainConnectTemplateRoute,
  createKeyRoute,
  listKeysRoute,
  revokeKeyRoute,
  storeCredentialRoute,
  listCredentialsRoute,
  deleteCredentialRoute,
  tryCredentialRoute,
  mintTokenRoute,
  getWidgetSettingsRoute,
  createEndpointRoute,
  listEndpointsRoute,
  getEndpointRoute,
  updateEndpointRoute,
  deleteEndpointRoute,
  rotateEndpointSecretRoute,
  sendTestRoute,
  listDeliveriesRoute,
  replayDeliveryRoute,
  replaySinceRoute,
  listEventsRoute,
  checkDomainRoute,
  generateEmailRoute,
  listProvidersRoute,
  getUsageRoute,
  listPlansRoute,
  getSubscriptionRoute,
  createSubscriptionRoute,
  listSandboxZonesRoute,
  getSandboxZoneRoute,
  putSandboxZoneRoute,
  deleteSandboxZoneRoute,
];
