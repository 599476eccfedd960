import { generateKeyPairSync, randomUUID } from "node:crypto";
import { isSignedByAws } from "../aws-signature.ts";

/** A tenant's accounts at the services that send mail, as their APIs show them. */
export interface SendingAccounts {
  readonly access: {
    readonly resend: { readonly api_key: string };
    readonly postmark: { readonly account_token: string };
    readonly ses: Readonly<Record<"access_key_id" | "secret_access_key" | "region", string>>;
  };
  /** The records are in DNS: the next check that a service makes succeeds. */
  isPublished: boolean;
  answer(method: string, url: URL, headers: Headers, body: string): Response;
}

interface Domain {
  readonly id: string;
  readonly name: string;
  readonly dkim: string;
  isVerified: boolean;
}

const access = {
  resend: { api_key: "re_123456789" },
  postmark: { account_token: "3b1f2c4d-account-token" },
  ses: { access_key_id: "AKIDSES", secret_access_key: "ses-secret", region: "eu-west-1" },
} as const;

/** The answers have the fields of the vendors' documentation, not only those that we read. */
export function createSendingAccounts(): SendingAccounts {
  const domains = { resend: [], postmark: [], ses: [] } as Record<Service, Domain[]>;
  const accounts: SendingAccounts = {
    access,
    isPublished: false,
    answer(method, url, headers, body) {
      const service = serviceAt(url);
      const given: Asked = { method, url, headers, body, isPublished: accounts.isPublished };
      return answerers[service](given, domains[service]);
    },
  };
  return accounts;
}

type Service = "resend" | "postmark" | "ses";

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  readonly isPublished: boolean;
}

function serviceAt({ hostname }: URL): Service {
  if (hostname === "api.resend.com") return "resend";
  if (hostname === "api.postmarkapp.com") return "postmark";
  if (hostname === `email.${access.ses.region}.amazonaws.com`) return "ses";
  throw new Error(`nobody is at ${hostname}`);
}

function add(domains: Domain[], name: string): Domain {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const dkim = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const id = domains.length + 1;
  const domain = { id: String(id), name, dkim, isVerified: false };
  domains.push(domain);
  return domain;
}

const answerers: Readonly<Record<Service, (asked: Asked, domains: Domain[]) => Response>> = {
  resend({ method, url, headers, body, isPublished }, domains) {
    if (headers.get("authorization") !== `Bearer ${access.resend.api_key}`) {
      return json(
        { statusCode: 401, name: "validation_error", message: "API key is invalid" },
        401,
      );
    }
    const [id, verb] = splitPath(url);
    if (method === "POST" && id === undefined) {
      return json(resendDomain(add(domains, nameIn(body, "name"))), 201);
    }
    if (id === undefined) {
      const data = domains.map(resendDomain).map(({ records: _, ...one }) => one);
      return json({ object: "list", has_more: false, data });
    }
    const found = domains.find((one) => one.id === id);
    if (found === undefined) {
      return json({ statusCode: 404, name: "not_found", message: "Domain not found" }, 404);
    }
    if (verb === "verify") {
      found.isVerified ||= isPublished;
      return json({ object: "domain", id });
    }
    return json({ object: "domain", ...resendDomain(found) });
  },
  postmark({ method, url, headers, body, isPublished }, domains) {
    if (headers.get("x-postmark-account-token") !== access.postmark.account_token) {
      return json({ ErrorCode: 10, Message: "The Account API token is wrong." }, 401);
    }
    const [id, verb] = splitPath(url);
    if (method === "POST" && id === undefined) {
      return json(postmarkDomain(add(domains, nameIn(body, "Name"))));
    }
    if (id === undefined) {
      const [offset, count] = ["offset", "count"].map((key) => Number(url.searchParams.get(key)));
      if (!count) return json({ ErrorCode: 600, Message: "count is missing." }, 422);
      const shown = domains.slice(offset, (offset ?? 0) + count).map(postmarkDomain);
      return json({ TotalCount: domains.length, Domains: shown });
    }
    const found = domains.find((one) => one.id === id);
    if (found === undefined) return json({ ErrorCode: 510, Message: "No such domain." }, 422);
    if (verb?.toLowerCase() === "verifydkim") found.isVerified ||= isPublished;
    return json(postmarkDomain(found));
  },
  ses({ method, url, headers, body, isPublished }, domains) {
    const { region, ...keys } = access.ses;
    // Signed by the client, and taken off by the connection.
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const request = { method, url, headers: { ...length, ...Object.fromEntries(headers) }, body };
    if (!isSignedByAws(request, { ...keys, scope: `${region}/ses` })) {
      return awsError(403, "SignatureDoesNotMatch", "The request signature does not match.");
    }
    if (method === "POST") return json(sesIdentity(add(domains, nameIn(body, "EmailIdentity"))));
    const name = decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
    const found = domains.find((one) => one.name === name);
    if (found === undefined) return awsError(404, "NotFoundException", "No such identity.");
    // It checks DNS by itself.
    found.isVerified ||= isPublished;
    return json(sesIdentity(found));
  },
};

function resendDomain({ id, name, dkim, isVerified }: Domain) {
  const status = isVerified ? "verified" : "not_started";
  const record = (kind: string, host: string, type: string, value: string) => ({
    record: kind,
    name: host,
    type,
    value,
    ttl: "Auto",
    status,
  });
  const feedback = "feedback-smtp.eu-west-1.amazonses.com";
  return {
    id,
    name,
    status,
    created_at: "2026-11-15 05:00:00.000000+00",
    region: "eu-west-1",
    capabilities: { sending: "enabled", receiving: "disabled" },
    records: [
      { ...record("SPF", "send", "MX", feedback), priority: 10 },
      record("SPF", "send", "TXT", "v=spf1 include:amazonses.com ~all"),
      record("DKIM", "resend._domainkey", "TXT", `p=${dkim}`),
    ],
  };
}

function postmarkDomain({ id, name, dkim, isVerified }: Domain) {
  const [host, value] = [`20261115pm._domainkey.${name}`, `k=rsa;p=${dkim}`];
  return {
    ID: Number(id),
    Name: name,
    SPFVerified: true,
    SPFHost: name,
    SPFTextValue: "",
    DKIMVerified: isVerified,
    WeakDKIM: false,
    SafeToRemoveRevokedKeyFromDNS: false,
    DKIMHost: isVerified ? host : "",
    DKIMTextValue: isVerified ? value : "",
    DKIMPendingHost: isVerified ? "" : host,
    DKIMPendingTextValue: isVerified ? "" : value,
    DKIMRevokedHost: "",
    DKIMRevokedTextValue: "",
    DKIMUpdateStatus: isVerified ? "Verified" : "Pending",
    ReturnPathDomain: `pm-bounces.${name}`,
    ReturnPathDomainVerified: isVerified,
    ReturnPathDomainCNAMEValue: "pm.mtasv.net",
  };
}

function sesIdentity({ name, isVerified }: Domain) {
  const Tokens = ["a", "b", "c"].map((letter) => `${letter.repeat(24)}${name.length}`);
  return {
    IdentityType: "DOMAIN",
    VerifiedForSendingStatus: isVerified,
    FeedbackForwardingStatus: true,
    DkimAttributes: {
      SigningEnabled: true,
      Status: isVerified ? "SUCCESS" : "PENDING",
      Tokens,
      SigningAttributesOrigin: "AWS_SES",
      NextSigningKeyLength: "RSA_2048_BIT",
    },
    MailFromAttributes: { MailFromDomain: `bounce.${name}`, BehaviorOnMxFailure: "REJECT_MESSAGE" },
  };
}

/** What follows `/domains` in the path; one client ends a path with a slash. */
function splitPath({ pathname }: URL): readonly string[] {
  return pathname.split("/").slice(2).filter(Boolean);
}

function nameIn(body: string, field: string): string {
  const name: unknown = Reflect.get(Object(JSON.parse(body)), field);
  if (typeof name !== "string") throw new Error(`${field} is missing in ${body}`);
  return name;
}

function json(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const all = { "content-type": "application/json", "x-amzn-requestid": randomUUID(), ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

function awsError(status: number, code: string, message: string): Response {
  return json({ message }, status, { "x-amzn-errortype": code });
}
