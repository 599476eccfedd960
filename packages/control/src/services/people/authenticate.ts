import { keyLookup, widgetGrantLookup } from "../../db/queries/applications/api-keys.ts";
import { apiKeyEnvironment, hashApiKey } from "../../domain/applications/api-key.ts";
import { AppError } from "../../domain/errors.ts";
import type { KeyActor, WidgetActor } from "../../domain/tenancy.ts";
import { widgetScopes } from "../../domain/tenancy.ts";
import { verifyWidgetToken } from "../applications/tokens.ts";
import type { Runtime } from "../runtime.ts";

export interface Authenticator {
  /** The caller that an Authorization header proves; throws `unauthorized` when it proves none. */
  authenticate(authorization: string | undefined): Promise<KeyActor | WidgetActor>;
}

/** One message whatever is wrong, so that guessing teaches nothing. */
function unauthorized(): AppError {
  return new AppError("unauthorized", "missing or invalid credential");
}

export function createAuthenticator(runtime: Runtime): Authenticator {
  const keys = keyLookup(runtime.database);
  const grants = widgetGrantLookup(runtime.database);
  const ownOrigin = new URL(runtime.config.baseUrl).origin;

  const widgetActor = async (token: string): Promise<WidgetActor> => {
    const claims = await verifyWidgetToken(runtime, token);
    if (!claims) throw unauthorized();
    const grant = await grants.load({
      keyId: claims.mintingKey,
      applicationId: claims.applicationId,
    });
    if (!grant || grant.tenantId !== claims.tenantId || grant.environment !== claims.environment) {
      throw unauthorized();
    }
    return {
      kind: "widget",
      tenantId: grant.tenantId,
      environment: grant.environment,
      keyId: claims.mintingKey,
      applicationId: claims.applicationId,
      tokenId: claims.tokenId,
      domain: claims.domain,
      customerRef: claims.customerRef,
      scopes: widgetScopes,
      allowedOrigins: claims.isPreview ? [ownOrigin] : grant.allowedOrigins,
      isSuspended: grant.isSuspended,
    };
  };

  return {
    async authenticate(authorization) {
      const secret = /^Bearer ([!-~]{1,4096})$/i.exec(authorization ?? "")?.[1];
      if (secret === undefined) throw unauthorized();
      if (!secret.startsWith("sk_")) return widgetActor(secret);
      // A key with a wrong checksum never reaches the database.
      if (apiKeyEnvironment(secret) === null) throw unauthorized();
      const actor = await keys.load(hashApiKey(secret));
      if (!actor) throw unauthorized();
      return actor;
    },
  };
}
