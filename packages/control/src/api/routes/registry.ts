import type { Route } from "../route.ts";
import { createApplicationRoute } from "./applications.create.ts";
import { getDomainConnectTemplateRoute } from "./applications.domain-connect-template.ts";
import { getApplicationRoute } from "./applications.get.ts";
import { listApplicationsRoute } from "./applications.list.ts";
import { updateApplicationRoute } from "./applications.update.ts";
import { applyEmailRoute } from "./connections.apply-email.ts";
import { applyRecordsRoute } from "./connections.apply-records.ts";
import { createBatchRoute } from "./connections.batch.ts";
import { checkRecordsRoute } from "./connections.check-records.ts";
import { createConnectionRoute } from "./connections.create.ts";
import { deleteConnectionRoute } from "./connections.delete.ts";
import { diagnoseConnectionRoute } from "./connections.diagnosis.ts";
import { listConnectionEventsRoute } from "./connections.events.ts";
import { getConnectionRoute } from "./connections.get.ts";
import { listConnectionsRoute } from "./connections.list.ts";
import { revertRecordsRoute } from "./connections.revert-records.ts";
import { shareConnectionRoute } from "./connections.share.ts";
import { startDomainConnectRoute } from "./connections.start-domain-connect.ts";
import { verifyConnectionRoute } from "./connections.verify.ts";
import { deleteCredentialRoute } from "./credentials.delete.ts";
import { listCredentialsRoute } from "./credentials.list.ts";
import { storeCredentialRoute } from "./credentials.store.ts";
import { tryCredentialRoute } from "./credentials.try.ts";
import { listDeliveriesRoute } from "./deliveries.list.ts";
import { replayDeliveryRoute } from "./deliveries.replay.ts";
import { checkDomainRoute } from "./domains.check.ts";
import { generateEmailRoute } from "./email.records.ts";
import { listEventsRoute } from "./events.list.ts";
import { createKeyRoute } from "./keys.create.ts";
import { listKeysRoute } from "./keys.list.ts";
import { revokeKeyRoute } from "./keys.revoke.ts";
import { listPlansRoute } from "./plans.list.ts";
import { listProvidersRoute } from "./providers.list.ts";
import { deleteSandboxZoneRoute } from "./sandbox-zones.delete.ts";
import { getSandboxZoneRoute } from "./sandbox-zones.get.ts";
import { listSandboxZonesRoute } from "./sandbox-zones.list.ts";
import { putSandboxZoneRoute } from "./sandbox-zones.put.ts";
import { getSubscriptionRoute } from "./subscription.get.ts";
import { createSubscriptionRoute } from "./subscriptions.create.ts";
import { mintTokenRoute } from "./tokens.mint.ts";
import { getUsageRoute } from "./usage.get.ts";
import { createEndpointRoute } from "./webhook-endpoints.create.ts";
import { deleteEndpointRoute } from "./webhook-endpoints.delete.ts";
import { getEndpointRoute } from "./webhook-endpoints.get.ts";
import { listEndpointsRoute } from "./webhook-endpoints.list.ts";
import { replaySinceRoute } from "./webhook-endpoints.replay.ts";
import { rotateEndpointSecretRoute } from "./webhook-endpoints.rotate-secret.ts";
import { sendTestRoute } from "./webhook-endpoints.send-test.ts";
import { updateEndpointRoute } from "./webhook-endpoints.update.ts";

/** Every endpoint under /v1, in the order in which the reference shows them. */
export const routes: readonly Route[] = [
  createConnectionRoute,
  createBatchRoute,
  listConnectionsRoute,
  getConnectionRoute,
  deleteConnectionRoute,
  verifyConnectionRoute,
  checkRecordsRoute,
  applyRecordsRoute,
  revertRecordsRoute,
  startDomainConnectRoute,
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
