import { type DropInHostname, holdsClaim, ownershipChallenge } from "@mooring/control/drop-in";
import { z } from "zod";

/** The edge answers 308 whichever of them is asked for. */
const redirectStatusCodes = [301, 302, 307, 308] as const;

const redirect = z.string().max(1_000).nullish();
const redirectStatusCode = z.literal(redirectStatusCodes).nullish();

export const UpdateDomain = z.object({
  gitBranch: z.string().max(250).nullish(),
  redirect,
  redirectStatusCode,
});
export type UpdateDomain = z.infer<typeof UpdateDomain>;

export const AddDomain = z.object({
  name: z.string().min(1).max(1_000),
  customEnvironmentId: z.string().max(250).nullish(),
  ...UpdateDomain.shape,
});

/** What is kept of a request and shown again. The redirect is kept in its canonical form by the verb. */
export function fieldsOf(body: Omit<z.infer<typeof AddDomain>, "name">) {
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

const KeptFields = z
  .object({
    redirect: redirect.catch(null),
    redirectStatusCode: redirectStatusCode.catch(null),
    gitBranch: z.string().nullish().catch(null),
    customEnvironmentId: z.string().nullish().catch(null),
  })
  .transform((kept) => ({
    redirect: kept.redirect ?? null,
    redirectStatusCode: kept.redirectStatusCode ?? null,
    gitBranch: kept.gitBranch ?? null,
    customEnvironmentId: kept.customEnvironmentId ?? null,
  }));

/** The connection in Vercel's words. It is verified from the proof of ownership on. */
export function domainBody({
  connection,
  fields,
  updatedAt,
}: DropInHostname): z.input<typeof DomainBody> {
  const kept = KeptFields.parse(fields);
  const verified = holdsClaim(connection.state);
  const { name, value } = ownershipChallenge(connection);
  const goal = connection.redirectTo ?? kept.redirect;
  return {
    name: connection.hostname,
    apexName: connection.registrableDomain,
    projectId: connection.applicationId,
    redirect: goal,
    redirectStatusCode: goal === null ? null : (kept.redirectStatusCode ?? 308),
    gitBranch: kept.gitBranch,
    customEnvironmentId: kept.customEnvironmentId,
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
