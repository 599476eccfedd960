import {
  createApplicationRoute,
  deleteApplicationRoute,
  getApplicationRoute,
  listApplicationsRoute,
  updateApplicationRoute,
} from "./applications.ts";
import { listAuditRoute } from "./audit.ts";
import {
  createSubscriptionRoute,
  getSubscriptionRoute,
  getUsageRoute,
  listPlansRoute,
} from "./billing.ts";
import {
  clearCertificateRoute,
  retryCertificateRoute,
  setCertificateRoute,
} from "./connection-certificate.ts";
import { revertCutoverRoute, switchCutoverRoute } from "./connection-cutover.ts";
import { applyRecordsRoute, checkRecordsRoute, revertRecordsRoute } from "./connection-records.ts";
import { summarizeConnectionsRoute } from "./connection-summary.ts";
import {
  createBatchRoute,
  createConnectionRoute,
  createPairRoute,
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
import { getDeliveryRoute, listAllDeliveriesRoute } from "./deliveries.ts";
import { diagnoseConnectionRoute } from "./diagnosis.ts";
import { getDomainConnectTemplateRoute, startDomainConnectRoute } from "./domain-connect.ts";
import { checkDomainRoute } from "./domains.ts";
import { applyEmailRoute, generateEmailRoute } from "./email.ts";
import { streamEventsRoute } from "./event-stream.ts";
import { listConnectionEventsRoute, listEventsRoute } from "./events.ts";
import { createKeyRoute, listKeysRoute, mintTokenRoute, revokeKeyRoute } from "./keys.ts";
import { startOAuthRoute } from "./oauth.ts";
import {
  viewCasRoute,
  viewEdgesRoute,
  viewProvidersRoute,
  viewQueuesRoute,
  viewTenantsRoute,
} from "./operator.ts";
import {
  addPasskeyRoute,
  challengePasskeyRoute,
  listPasskeysRoute,
  removePasskeyRoute,
} from "./passkeys.ts";
import {
  endSessionRoute,
  getSessionRoute,
  inviteMemberRoute,
  listMembersRoute,
  listSessionsRoute,
  removeMemberRoute,
  revokeSessionRoute,
  updateMemberRoute,
} from "./people.ts";
import { listProvidersRoute } from "./providers.ts";
import type { Route } from "./route.ts";
import {
  deleteSandboxZoneRoute,
  getSandboxZoneRoute,
  listSandboxZonesRoute,
  putSandboxZoneRoute,
} from "./sandbox-zones.ts";
import {
  applySendingRoute,
  checkSendingRoute,
  listSendingRoute,
  removeSendingRoute,
} from "./sending.ts";
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
  createPairRoute,
  listConnectionsRoute,
  summarizeConnectionsRoute,
  getConnectionRoute,
  updateConnectionRoute,
  deleteConnectionRoute,
  setCertificateRoute,
  clearCertificateRoute,
  retryCertificateRoute,
  verifyConnectionRoute,
  checkRecordsRoute,
  applyRecordsRoute,
  revertRecordsRoute,
  switchCutoverRoute,
  revertCutoverRoute,
  startDomainConnectRoute,
  startOAuthRoute,
  applyEmailRoute,
  applySendingRoute,
  listSendingRoute,
  checkSendingRoute,
  removeSendingRoute,
  diagnoseConnectionRoute,
  shareConnectionRoute,
  listConnectionEventsRoute,
  createApplicationRoute,
  listApplicationsRoute,
  getApplicationRoute,
  updateApplicationRoute,
  deleteApplicationRoute,
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
  listAllDeliveriesRoute,
  getDeliveryRoute,
  listEventsRoute,
  streamEventsRoute,
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
  getSessionRoute,
  endSessionRoute,
  listSessionsRoute,
  revokeSessionRoute,
  inviteMemberRoute,
  listMembersRoute,
  updateMemberRoute,
  removeMemberRoute,
  challengePasskeyRoute,
  addPasskeyRoute,
  listPasskeysRoute,
  removePasskeyRoute,
  listAuditRoute,
  viewTenantsRoute,
  viewEdgesRoute,
  viewQueuesRoute,
  viewCasRoute,
  viewProvidersRoute,
];
