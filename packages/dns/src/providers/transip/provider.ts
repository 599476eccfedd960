import { randomBytes, sign } from "node:crypto";
import { toAbsolute, toRelative } from "../../name.ts";
import { parseData, presentData } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain, HttpAnswer, ProviderHttp } from "../adapter/http.ts";
import {
  decodeJson,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { jsonApi } from "../adapter/json-api.ts";
import { readPrivateKey } from "../adapter/private-key.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { sessionSource } from "../adapter/session.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.transip.nl/v6";
/**
 * Backslashes, backticks and spaces at the ends are refused; quotes and other scripts are not
 * documented.
 */
const textLimits = { forbidden: /["`\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 1_024 };
const tokenMinutes = 30;

const domains = object({ domains: list(object({ name: text })) });
const entry = object({ name: text, expire: number, type: text, content: text });
type Entry = ReturnType<typeof entry>;
const entries = object({ dnsEntries: optional(list(entry), []) });

export const transip = defineRecordProvider<Entry>(manifest, (credentials, { http, now }) => {
  const token = createTokenSource(http, credentials, now);
  const api = jsonApi(http, {
    baseUrl: apiUrl,
    headers: {},
    explain: explainAt(now),
    authorize: async (_request, signal) => ({ authorization: `Bearer ${await token(signal)}` }),
  });
  const dnsPath = (zone: Zone) => `/domains/${encodeURIComponent(zone.id)}/dns`;

  return {
    textLimits,
    async listZones(signal) {
      const answer = await api.read({ path: "/domains" }, domains, signal);
      // The API names the registry's servers, not the zone's: the manifest's have to be compared.
      return answer.domains.map(({ name }) => ({
        id: name,
        name: name.toLowerCase(),
        nameservers: [],
      }));
    },
    async readRows(zone, signal) {
      const { dnsEntries } = await api.read({ path: dnsPath(zone) }, entries, signal);
      return dnsEntries.map((one) => toRow(one, zone.name));
    },
    // An entry has no key: it is deleted by all of its fields. The API's own change works only
    // where the name has one entry of the type.
    remove: (zone, { raw }, signal) =>
      api.write({ method: "DELETE", path: dnsPath(zone), body: { dnsEntry: raw } }, signal),
    add: (zone, record, signal) => {
      const body = { dnsEntry: toEntry(record, zone.name) };
      return api.write({ method: "POST", path: dnsPath(zone), body }, signal);
    },
  };
});

const granted = object({ token: text });

/** A token that was given, or one that is fetched with the key. */
function createTokenSource(
  http: ProviderHttp,
  credentials: Credentials,
  now: () => Date,
): (signal: AbortSignal) => Promise<string> {
  const { access_token: token, account_name: login, private_key: pem } = credentials;
  if (token !== undefined) return async () => token;
  if (login === undefined || pem === undefined) {
    throw new ProviderError(
      "auth",
      "Account name and private key, or an access token, are needed.",
    );
  }
  const key = readPrivateKey("The private key", pem);
  const fetchToken = async (signal: AbortSignal) => {
    const nonce = randomBytes(8).toString("hex");
    const body = JSON.stringify({
      login,
      nonce,
      read_only: false,
      expiration_time: `${tokenMinutes} minutes`,
      // Labels are shown in the control panel and must differ.
      label: `mooring-${nonce}`,
      global_key: true,
    });
    const headers = {
      "content-type": "application/json",
      signature: sign("sha512", Buffer.from(body), key).toString("base64"),
    };
    const request = { method: "POST", url: `${apiUrl}/auth`, headers, body } as const;
    const answer = await http.send(request, signal, explainAt(now));
    return { value: decodeJson(answer, granted).token, seconds: tokenMinutes * 60 };
  };
  // A nonce is accepted once, so that a repeated request has to be another one.
  return sessionSource(now, (signal) =>
    fetchToken(signal).catch((error: unknown) => {
      if (error instanceof ProviderError && error.kind === "unavailable") return fetchToken(signal);
      throw error;
    }),
  );
}

/** Texts are bare; all else is as in a zone file. */
function toEntry(record: DnsRecord, zone: string): Entry {
  const { name, type, ttl: expire, value } = record;
  const content = type === "TXT" ? value : presentData(record);
  return { name: toRelative(name, zone) ?? name, expire, type, content };
}

/** Targets may be relative to the zone, and "@" is the zone itself. */
function toRow(raw: Entry, zone: string): Row<Entry> {
  const { type, expire: ttl, content } = raw;
  const data = type === "TXT" ? { value: content, priority: null } : parseData(type, content, zone);
  const record = {
    name: toAbsolute(raw.name, zone),
    type,
    ttl,
    value: data?.value ?? null,
    priority: data?.priority ?? null,
  };
  return readRow({ id: null, raw, zone, record });
}

/** A throttled answer names the moment at which requests are accepted again. */
function explainAt(now: () => Date): Explain {
  return (answer) => {
    const body = jsonOrNull(answer);
    const message = isObject(body) ? String(body["error"] ?? "") : "";
    if (answer.status === 406) return { kind: "unsupported", message };
    const reset = answer.status === 429 ? secondsUntilReset(answer, now()) : null;
    return reset === null ? { message } : { message, retryAfterSeconds: reset };
  };
}

function secondsUntilReset({ headers }: HttpAnswer, at: Date): number | null {
  const reset = headers.get("x-rate-limit-reset") ?? "";
  if (!/^\d{1,12}$/.test(reset)) return null;
  return Math.max(1, Math.ceil(Number(reset) - at.getTime() / 1_000));
}
