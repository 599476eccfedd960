import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  type CustomerDomain,
  deleteStatusLink,
  type FoundStatusLink,
  findStatusLink,
  insertStatusLink,
  type StatusLink,
  selectCustomerApplications,
  selectCustomerDomains,
  selectStatusLinks,
  sweepStatusLinks,
} from "../../db/queries/connections/status-links.ts";
import { invalid, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications/applications.ts";
import { CustomerRef } from "../applications/customer.ts";
import { audit, type ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";
import { type ShareBrand, shareBrand } from "./brand.ts";
import type { FoundShareLink } from "./links.ts";
import { hashLinkToken, newLinkToken } from "./tokens.ts";

export type { StatusLink } from "../../db/queries/connections/status-links.ts";
export type { CustomerDomain, FoundStatusLink };

const dayMs = 86_400_000;
const usualDays = 90;
/** Above this number the oldest links of a customer are removed early. */
const linksPerCustomer = 20;
/** A page shows no more domains than this. */
export const mostShown = 200;

export const CreateStatusLink = z.strictObject({
  customer_ref: CustomerRef.describe("Whose domains the page shows"),
  application_id: z
    .uuid()
    .optional()
    .describe("Whose brand and domains it shows; needed when the customer has domains of several"),
  expires_in_days: z.int().min(1).max(365).default(usualDays),
});
export type CreateStatusLink = z.infer<typeof CreateStatusLink>;

export const ListStatusLinks = z.strictObject({ customer_ref: CustomerRef });
export type ListStatusLinks = z.infer<typeof ListStatusLinks>;

export interface NewStatusLink extends StatusLink {
  readonly url: string;
}

/** Creates a link to the page of a customer that has domains here. */
export async function createStatusLink(
  ctx: ServiceContext,
  input: CreateStatusLink,
): Promise<NewStatusLink> {
  const { token, tokenHash } = newLinkToken();
  const { customer_ref: customerRef, expires_in_days: days } = input;
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + days * dayMs);
  return ctx.write(async (tx) => {
    const applicationId = await chooseApplication(ctx, tx, input);
    const link = { id: newId(createdAt), applicationId, customerRef, createdAt, expiresAt };
    await insertStatusLink(tx, ctx.actor, { ...link, tokenHash }, linksPerCustomer);
    await audit(ctx, tx, "status_link.create", link.id, { customer_ref: customerRef, days });
    return { ...link, url: `${ctx.runtime.config.baseUrl}/status/${token}` };
  });
}

async function chooseApplication(
  ctx: ServiceContext,
  tx: Tx,
  { customer_ref, application_id }: CreateStatusLink,
): Promise<string> {
  const all = await selectCustomerApplications(tx, ctx.actor, customer_ref);
  if (application_id !== undefined) await requireApplication(tx, application_id);
  const fitting = application_id === undefined ? all : all.filter((id) => id === application_id);
  const [first, ...others] = fitting;
  if (first === undefined) throw notFound("customer");
  if (others.length > 0) {
    const message = "the customer has domains of several applications: name one";
    throw invalid([{ path: "application_id", message }]);
  }
  return first;
}

export function listStatusLinks(
  ctx: ServiceContext,
  { customer_ref }: ListStatusLinks,
): Promise<readonly StatusLink[]> {
  return ctx.read((tx) => selectStatusLinks(tx, ctx.actor, customer_ref, ctx.now()));
}

/** Ends a link: its next reader finds the page of an unknown one. */
export function revokeStatusLink(ctx: ServiceContext, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    const link = await deleteStatusLink(tx, id);
    if (link === null) throw notFound("status link");
    await audit(ctx, tx, "status_link.revoke", id, { customer_ref: link.customerRef });
  });
}

/** What the page of a customer shows; all of it is stored, and no DNS is asked. */
export interface CustomerStatus {
  readonly brand: ShareBrand;
  readonly domains: readonly CustomerDomain[];
  readonly isCut: boolean;
  readonly expiresAt: Date;
}

export interface StatusPages {
  /** Null for a token that is unknown, revoked or expired. */
  find(token: string): Promise<FoundStatusLink | null>;
  read(link: FoundStatusLink): Promise<CustomerStatus>;
  /** The page about one of the customer's domains; null for any other name. */
  findDomain(link: FoundStatusLink, hostname: string): Promise<FoundShareLink | null>;
}

export function createStatusPages(runtime: Runtime): StatusPages {
  return {
    async find(token) {
      const hash = hashLinkToken(token);
      return hash && findStatusLink(runtime.database, hash, runtime.clock.now());
    },
    read: (link) =>
      runtime.tenant(link, async (tx) => {
        const { applicationId, expiresAt } = link;
        const brand = shareBrand(await requireApplication(tx, applicationId));
        const limits = { hostname: null, limit: mostShown + 1 };
        const domains = await selectCustomerDomains(tx, link, limits);
        const isCut = domains.length > mostShown;
        return { brand, domains: domains.slice(0, mostShown), isCut, expiresAt };
      }),
    async findDomain(link, hostname) {
      if (!nameShape.test(hostname)) return null;
      const only = { hostname, limit: 1 };
      const [domain] = await runtime.tenant(link, (tx) => selectCustomerDomains(tx, link, only));
      return domain === undefined ? null : { ...link, connectionId: domain.id, hostname };
    },
  };
}

/** Of a stored name; other text costs no lookup. */
const nameShape = /^[a-z0-9*_.-]{1,253}$/;

const sweepBatch = 1_000;

/** Deletes expired links, in batches. */
export async function sweepStatusPages(runtime: Runtime): Promise<void> {
  const sweep = () =>
    runtime.transaction((tx) => sweepStatusLinks(tx, runtime.clock.now(), sweepBatch));
  while ((await sweep()) === sweepBatch);
}
