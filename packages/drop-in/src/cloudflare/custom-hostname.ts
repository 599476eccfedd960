import {
  cloudflareStatuses,
  type DropInFields,
  type DropInHostname,
  isObject,
  ownershipChallenge,
} from "@mooring/control/drop-in";
import { z } from "zod";
import { showOrigin } from "./origin.ts";
import { validationErrors, verificationErrors } from "./status.ts";

const onOrOff = z.enum(["on", "off"]);

const SslSettings = z.strictObject({
  ciphers: z.array(z.string()).nullish(),
  early_hints: onOrOff.nullish(),
  http2: onOrOff.nullish(),
  min_tls_version: z.enum(["1.0", "1.1", "1.2", "1.3"]).nullish(),
  tls_1_3: onOrOff.nullish(),
});

/** What is stored of a request's `ssl` and shown again, whether it has an effect here or not. */
const stored = {
  bundle_method: z.enum(["ubiquitous", "optimal", "force"]).nullish(),
  certificate_authority: z.enum(["digicert", "google", "lets_encrypt", "ssl_com"]).nullish(),
  cloudflare_branding: z.boolean().nullish(),
  custom_csr_id: z.string().nullish(),
  method: z.enum(["http", "txt", "email"]).nullish(),
  settings: SslSettings.nullish(),
  type: z.literal("dv").nullish(),
  wildcard: z.boolean().nullish(),
};

const certificate = {
  custom_certificate: z.string().nullish(),
  custom_key: z.string().nullish(),
};

const hostname = z.string({ error: "it is missing or not text" }).min(1).max(1_000);

/** Fields that are not named here are read-only at the vendor's, or unknown to it. */
const editable = {
  custom_metadata: z.record(z.string(), z.unknown()).nullish(),
  custom_origin_server: z.string().max(2_000).nullish(),
  custom_origin_sni: z.string().nullish(),
  ssl: z
    .strictObject({
      ...stored,
      ...certificate,
      custom_cert_bundle: z
        .array(z.strictObject({ custom_certificate: z.string(), custom_key: z.string() }))
        .nullish(),
    })
    .nullish(),
};

/** Terraform's provider sends the hostname with every change; it cannot be another. */
export const EditHostname = z.strictObject({ hostname: hostname.optional(), ...editable });
export type EditHostname = z.infer<typeof EditHostname>;

export const CreateHostname = z.strictObject({ hostname, ...editable });
export type CreateHostname = z.infer<typeof CreateHostname>;

/** The certificate and key of a request, which are served and never shown; null without both. */
export function ownCertificateIn({ ssl }: EditHostname) {
  const own = ssl?.custom_cert_bundle?.[0] ?? ssl;
  if (!own?.custom_certificate || !own.custom_key) return null;
  return { certificate: own.custom_certificate, private_key: own.custom_key };
}

const SslFields = z.object(stored);

/** What is stored of a request, over what was stored before. */
export function mergeFields(body: EditHostname, before: DropInFields): DropInFields {
  const { custom_metadata: metadata, custom_origin_sni: sni, ssl } = body;
  return {
    ...(metadata === undefined ? {} : { custom_metadata: metadata }),
    ...(sni === undefined ? {} : { custom_origin_sni: sni }),
    ...(ssl ? { ssl: { ...storedSsl(before), ...SslFields.parse(ssl) } } : {}),
  };
}

function storedSsl(fields: DropInFields): z.infer<typeof SslFields> {
  return SslFields.catch({}).parse(fields["ssl"] ?? {});
}

const ValidationRecord = z.object({
  status: z.string(),
  txt_name: z.string().optional(),
  txt_value: z.string().optional(),
  cname: z.string().optional(),
  cname_target: z.string().optional(),
});

export const HostnameBody = z.object({
  id: z.string(),
  hostname: z.string(),
  status: z.string(),
  verification_errors: z.array(z.string()),
  ownership_verification: z.object({ type: z.literal("txt"), name: z.string(), value: z.string() }),
  ownership_verification_http: z.object({ http_url: z.string(), http_body: z.string() }).nullable(),
  ssl: z.object({
    ...stored,
    id: z.string(),
    status: z.string(),
    type: z.literal("dv"),
    method: z.enum(["http", "txt", "email"]),
    hosts: z.array(z.string()),
    issuer: z.string().optional(),
    expires_on: z.string().optional(),
    txt_name: z.string().optional(),
    txt_value: z.string().optional(),
    validation_errors: z.array(z.object({ message: z.string() })),
    validation_records: z.array(ValidationRecord),
    dcv_delegation_records: z.array(ValidationRecord.omit({ txt_name: true, txt_value: true })),
  }),
  custom_metadata: z.record(z.string(), z.unknown()).optional(),
  custom_origin_server: z.string().optional(),
  custom_origin_sni: z.string().optional(),
  created_at: z.string(),
});

/** The connection in Cloudflare's words. */
export function hostnameBody(shown: DropInHostname): z.input<typeof HostnameBody> {
  const { connection, fields, token } = shown;
  const { custom_metadata: metadata, custom_origin_sni: sni } = fields;
  const { originUrl } = connection;
  return {
    id: connection.id,
    hostname: connection.hostname,
    status: cloudflareStatuses[connection.state]?.status ?? "deleted",
    verification_errors: verificationErrors(shown, storedSsl(fields).method ?? null),
    ownership_verification: { type: "txt", ...ownershipChallenge(connection) },
    ownership_verification_http: token && { http_url: token.url, http_body: token.body },
    ssl: sslBody(shown),
    ...(isObject(metadata) ? { custom_metadata: metadata } : {}),
    ...(originUrl === null ? {} : { custom_origin_server: showOrigin(originUrl) }),
    ...(typeof sni === "string" ? { custom_origin_sni: sni } : {}),
    created_at: connection.createdAt.toISOString(),
  };
}

function sslBody(shown: DropInHostname) {
  const { connection, certificate: served, validation, fields, needed } = shown;
  const { id, hostname, state } = connection;
  const ssl = storedSsl(fields);
  const status = cloudflareStatuses[state]?.ssl ?? "deleted";
  const { name, value } = ownershipChallenge(connection);
  const isWaiting = status === "initializing" || status === "validation_timed_out";
  const alias =
    validation === null ? [] : [{ cname: validation.name, cname_target: validation.target }];
  // Where the record for visitors proves ownership, nothing else is asked for.
  const isAsked = isWaiting && needed.ownership.need !== "none";
  const delegation = connection.validationStatus === "right" ? "active" : "pending";
  const delegated = alias.map((record) => ({ status: delegation, ...record }));
  return {
    ...ssl,
    id,
    status,
    type: "dv" as const,
    method: ssl.method ?? ("txt" as const),
    hosts: [hostname],
    ...(served?.ca ? { issuer: served.ca } : {}),
    ...(served?.notAfter ? { expires_on: served.notAfter.toISOString() } : {}),
    ...(isAsked ? { txt_name: name, txt_value: value } : {}),
    validation_errors: validationErrors(connection),
    validation_records: validationRecords(shown, status, delegated),
    dcv_delegation_records: delegated,
  };
}

/** What is asked for now: the proof of ownership, then what validates the certificate. */
function validationRecords(
  { connection, needed }: DropInHostname,
  status: string,
  delegated: z.input<typeof ValidationRecord>[],
): z.input<typeof ValidationRecord>[] {
  if (status === "active") return [];
  if (status !== "initializing" && status !== "validation_timed_out") return delegated;
  if (needed.ownership.need === "none") return needed.proof === "delegation" ? delegated : [];
  const { name, value } = ownershipChallenge(connection);
  return [{ status: "pending", txt_name: name, txt_value: value }];
}
