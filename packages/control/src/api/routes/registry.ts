import type { Route } from "../route.ts";
import { createApplicationRoute } from "./applications.create.ts";
import { getApplicationRoute } from "./applications.get.ts";
import { listApplicationsRoute } from "./applications.list.ts";
import { updateApplicationRoute } from "./applications.update.ts";
import { deleteCredentialRoute } from "./credentials.delete.ts";
import { listCredentialsRoute } from "./credentials.list.ts";
import { storeCredentialRoute } from "./credentials.store.ts";
import { createKeyRoute } from "./keys.create.ts";
import { listKeysRoute } from "./keys.list.ts";
import { revokeKeyRoute } from "./keys.revoke.ts";
import { listPlansRoute } from "./plans.list.ts";
import { listProvidersRoute } from "./providers.list.ts";
import { mintTokenRoute } from "./tokens.mint.ts";
import { getUsageRoute } from "./usage.get.ts";

/** Every endpoint under /v1, in the order in which the reference shows them. */
export const routes: readonly Route[] = [
  createApplicationRoute,
  listApplicationsRoute,
  getApplicationRoute,
  updateApplicationRoute,
  createKeyRoute,
  listKeysRoute,
  revokeKeyRoute,
  storeCredentialRoute,
  listCredentialsRoute,
  deleteCredentialRoute,
  mintTokenRoute,
  listProvidersRoute,
  getUsageRoute,
  listPlansRoute,
];
