import { type DropInHostname, holdsClaim, ownershipChallenge } from "@mooring/control/drop-in";
import { z } from "zod";

/** The edge answers 308 whichever of them is asked for. */
const redirectStatusCodes = [301, 302, 307, 308] as const;

const redirect = z.string().nullish();
const redirectStatusCode = z.literal(redirectStatusCodes).nullish();

export const UpdateDomain = z.strictObject({
  gitBranch: z.string().max(250).nullish(),
  customEnvironmentId: z.string().max(250).nullish(),
  redirect,
  redirectStatusCode,
});
export type UpdateDomain = z.infer<typeof UpdateDomain>;

export const AddDomain = z.strictObject({ name: z.string(), ...UpdateDomain.shape });

/** What is stored of a request and shown again. */
export function storedFields(body: Omit<z.infer<typeof AddDomain>, "name">) {
  const { gitBranch, customEnvironmentId, redirectStatusCode: status } = body;
  return {
    ...(gitBranch === undefined ? {} : { gitBranch }),
    ...(customEnvironmentId === undefined ? {} : { customEnvironmentId }),
    ...(status === undefined ? {} : { redirectStatusCode: status }),
  };
}

export const DomainBody = z.object({
  name: z.string(),
  apexName: z.string(),
  projectId: z.string(),
  redirect: z.string().nullable(),
  redirectStatusCode: z.literal(redirectStatusCodes).nullable(),
  gitBranch: z.string().nullable(),
  customEnvironmentId: z.string().nullable(),
  updatedAt: z.int(),
  createdAt: z.int(),
  verified: z.boolean(),
  verification: z
    .array(
      z.object({ type: z.string(), domain: z.string(), value: z.string(), reason: z.string() }),
    )
    .optional(),
});

const StoredFields = z
  .object({
    redirectStatusCode: redirectStatusCode.catch(null),
    gitBranch: z.string().nullish().catch(null),
    customEnvironmentId: z.string().nullish().catch(null),
  })
  .transform((stored) => ({
    redirectStatusCode: stored.redirectStatusCode ?? null,
    gitBranch: stored.gitBranch ?? null,
    customEnvironmentId: stored.customEnvironmentId ?? null,
  }));

/**
 * The connection in Vercel's words. It is verified from the proof of ownership on, and from the
 * start where the record for visitors proves it: then nothing else is asked for, unless somebody
 * else has the name, or the name has another record. A page that cannot show the connection's
 * target has asked for such a record, and proves by the TXT record.
 */
export function domainBody({
  connection,
  fields,
  updatedAt,
  needed,
}: DropInHostname): z.input<typeof DomainBody> {
  const stored = StoredFields.parse(fields);
  const isAsked = needed.ownership.need !== "none";
  const isFree = connection.errorCode !== "hostname_conflict" && connection.state !== "failed";
  const verified = holdsClaim(connection.state) || (!isAsked && isFree);
  const { name, value } = ownershipChallenge(connection);
  const { redirectTo } = connection;
  return {
    name: connection.hostname,
    apexName: connection.registrableDomain,
    projectId: connection.applicationId,
    redirect: redirectTo,
    redirectStatusCode: redirectTo === null ? null : stored.redirectStatusCode,
    gitBranch: stored.gitBranch,
    customEnvironmentId: stored.customEnvironmentId,
    updatedAt: updatedAt.getTime(),
    createdAt: connection.createdAt.getTime(),
    verified,
    ...(verified
      ? {}
      : {
          verification: [
            { type: "TXT", domain: name, value, reason: "pending_domain_verification" },
          ],
        }),
  };
}
