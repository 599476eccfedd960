import {
  createApplicationRoute,
  deleteApplicationRoute,
  getApplicationRoute,
  listApplicationsRoute,
  updateApplicationRoute,
} from "./applications/applications.ts";
import {
  createKeyRoute,
  listKeysRoute,
  mintTokenRoute,
  revokeKeyRoute,
} from "./applications/keys.ts";
import { getWidgetSettingsRoute } from "./applications/widget-settings.ts";
import {
  createSubscriptionRoute,
  getSubscriptionRoute,
  getUsageRoute,
  listPlansRoute,
} from "./billing/billing.ts";
import {
  clearCertificateRoute,
  retryCertificateRoute,
  setCertificateRoute,
} from "./connections/certificate.ts";
import {
  createBatchRoute,
  createConnectionRoute,
  createPairRoute,
  deleteConnectionRoute,
  getConnectionRoute,
  listConnectionsRoute,
  updateConnectionRoute,
  verifyConnectionRoute,
} from "./connections/connections.ts";
import { listCustomersRoute } from "./connections/customers.ts";
import { revertCutoverRoute, switchCutoverRoute } from "./connections/cutover.ts";
import { diagnoseConnectionRoute } from "./connections/diagnosis.ts";
import { applyRecordsRoute, checkRecordsRoute, revertRecordsRoute } from "./connections/records.ts";
import { summarizeConnectionsRoute } from "./connections/summary.ts";
import {
  deleteCredentialRoute,
  listCredentialsRoute,
  storeCredentialRoute,
  tryCredentialRoute,
} from "./credentials/credentials.ts";
import { startOAuthRoute } from "./credentials/oauth.ts";
import { listProvidersRoute } from "./credentials/providers.ts";
import {
  getDomainConnectTemplateRoute,
  startDomainConnectRoute,
} from "./domain-connect/domain-connect.ts";
import { checkDomainRoute } from "./domains/domains.ts";
import { applyEmailRoute, generateEmailRoute } from "./email/email.ts";
import { streamEventsRoute } from "./events/event-stream.ts";
import { listConnectionEventsRoute, listEventsRoute } from "./events/events.ts";
import type { Route } from "./http/route.ts";
import { listAuditRoute } from "./operator/audit.ts";
import {
  viewCasRoute,
  viewEdgesRoute,
  viewProvidersRoute,
  viewQueuesRoute,
  viewTenantsRoute,
} from "./operator/operator.ts";
import {
  addPasskeyRoute,
  challengePasskeyRoute,
  listPasskeysRoute,
  removePasskeyRoute,
} from "./people/passkeys.ts";
import {
  endSessionRoute,
  getSessionRoute,
  inviteAgainRoute,
  inviteMemberRoute,
  listMembersRoute,
  listSessionsRoute,
  removeMemberRoute,
  revokeSessionRoute,
  updateMemberRoute,
} from "./people/people.ts";
import {
  deleteSandboxZoneRoute,
  getSandboxZoneRoute,
  listSandboxZonesRoute,
  putSandboxZoneRoute,
} from "./sandbox/zones.ts";
import {
  applySendingRoute,
  checkSendingRoute,
  listSendingRoute,
  removeSendingRoute,
} from "./sending/sending.ts";
import { shareConnectionRoute } from "./share/share.ts";
import {
  createStatusLinkRoute,
  listStatusLinksRoute,
  revokeStatusLinkRoute,
} from "./share/status.ts";
import { getConnectionTrafficRoute, getTrafficRoute } from "./traffic/traffic.ts";
import { getDeliveryRoute, listAllDeliveriesRoute } from "./webhooks/deliveries.ts";
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
} from "./webhooks/endpoints.ts";

/** Every endpoint under /v1, in the order in which the reference shows them. */
export const routes: readonly Route[] = [
  createConnectionRoute,
  createBatchRoute,
  createPairRoute,
  listConnectionsRoute,
  summarizeConnectionsRoute,
  listCustomersRoute,
  createStatusLinkRoute,
  listStatusLinksRoute,
  revokeStatusLinkRoute,
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
  getConnectionTrafficRoute,
  getTrafficRoute,
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
  inviteAgainRoute,
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
