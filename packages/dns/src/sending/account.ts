import { ProviderError } from "../providers/adapter/errors.ts";
import { createProviderHttp, type Fetch } from "../providers/adapter/http.ts";
import { jsonApi } from "../providers/adapter/json-api.ts";
import { readPostmark } from "./postmark.ts";
import { findSendingProvider, type SendingKey } from "./presets.ts";
import type { AccountDomain, SendingAccess, SendingReader } from "./reader.ts";
import { readResend } from "./resend.ts";
import { readSes } from "./ses.ts";

const readers: Readonly<Partial<Record<SendingKey, SendingReader>>> = {
  resend: readResend,
  postmark: readPostmark,
  ses: readSes,
};

const baseUrls: Readonly<Partial<Record<SendingKey, string>>> = {
  resend: "https://api.resend.com",
  postmark: "https://api.postmarkapp.com",
  ses: "https://email.{region}.amazonaws.com",
};

/**
 * Reads a domain from an account. Failures are ProviderErrors, without the access in their text.
 */
export async function readSendingAccount(
  provider: SendingKey,
  request: {
    readonly domain: string;
    readonly access: SendingAccess;
    /** Another base address for all services, which are below it by their keys; null: their own. */
    readonly baseUrl: string | null;
    readonly fetch: Fetch;
    readonly now: () => Date;
    readonly verify: boolean;
  },
  signal: AbortSignal,
): Promise<AccountDomain> {
  const read = readers[provider];
  const own = baseUrls[provider]?.replace("{region}", request.access["region"] ?? "us-east-1");
  if (read === undefined || own === undefined) {
    const name = findSendingProvider(provider)?.name ?? provider;
    throw new ProviderError("unsupported", `Records cannot be read from ${name}.`);
  }
  const baseUrl = request.baseUrl === null ? own : `${request.baseUrl}/${provider}`;
  const secrets = Object.entries(request.access).flatMap(([key, value]) =>
    key === "region" ? [] : [value],
  );
  const http = createProviderHttp({ fetch: request.fetch, secrets });
  return read((options) => jsonApi(http, options), { ...request, baseUrl }, signal);
}
