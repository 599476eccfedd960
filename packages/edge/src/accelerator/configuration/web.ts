import type { EdgeLimits } from "../../config/limits.ts";
import { http3Alternative, http3Binds, http3Claim } from "../http3.ts";
import { slotPart } from "../slot-value.ts";
import { type ConfigurationOptions, ownId, peer } from "./options.ts";
import { isLeased, section, servers } from "./section.ts";

/**
 * Fields of a request that the Node edge handles; a request that has one is left to it: a body
 * whose length is not known, and hops, which Node knows.
 */
export const fieldsForNode = [
  "cdn-loop",
  "connection",
  "expect",
  "te",
  "transfer-encoding",
  "upgrade",
  "via",
];

export const referenceVariable = "var(txn.reference)";

/** What the Node edge reads of one line; `accelerator/request-log.ts`. */
export const logFormat = [
  "%[var(txn.fast)]",
  "%[var(sess.claim)]",
  "%[var(sess.name)]",
  "%[var(txn.first)]",
  "%ci",
  "%ST",
  "%ts",
  "%B",
  "%[var(txn.head)]",
  "%[var(txn.length)]",
  "%Ta",
  "%Tr",
  "%[var(txn.reference)]",
  "%HM",
  "%[var(txn.body)]",
  "%[var(txn.asked)]",
  "%U",
  "%HPO",
].join(" ");

/** Ends TLS of promoted names, and leaves to the Node edge what is not fast. */
export function webSections(options: ConfigurationOptions): readonly string[] {
  return [webSection(options), decryptedSection(options)];
}

/**
 * A request is fast when the Node edge would forward it as it is, with the fields that its slot
 * adds. Everything else goes to the Node edge, decrypted, with the claim under which the connection
 * was opened.
 */
function webSection({ paths, limits, http3, user }: ConfigurationOptions): string {
  const alternative = http3Alternative(http3);
  const found = (map: string): string => `var(sess.name),map_str(${map})`;
  const promoted = promotedConditions(paths.lease);
  const fast = [readConditions(limits), uploadConditions(limits)].map((conditions) => [
    ...promoted,
    ...conditions,
  ]);
  return section("# Ends TLS of promoted names.\nfrontend web from http", [
    `bind "unix@${paths.socketsOf(ownId).web}" mode 600${user === null ? "" : ` uid ${user.uid}`} accept-proxy ssl crt-list ${paths.certificates} strict-sni alpn h2,http/1.1`,
    ...http3Binds(http3, paths, limits),
    "log ring@requests format raw local0",
    `log-format "${logFormat}"`,
    "option dontlognull",
    // One that leaves tells a visitor with its next response, who may have sent the request.
    "option idle-close-on-response",
    "unique-id-format %[var(sess.claim)]",
    "tcp-request session set-var(sess.claim) fc_pp_unique_id",
    ...http3Claim(http3, paths),
    "tcp-request session set-var(sess.name) ssl_fc_sni,lower",
    ...[...new Set(fast.flat())].map((condition) => `acl ${condition}`),
    // A path of "*", which only OPTIONS has (RFC 9113 §8.3.1): it would be written as "/".
    "http-request deny deny_status 400 if !{ url_beg / } { url -m reg ^https?://[^/]*$ } !{ method OPTIONS }",
    "http-request set-var(txn.now) date(0,ms)",
    "http-request set-var(txn.reference) uuid,bytes(24,12)",
    `http-request set-var(txn.claim) ${found(paths.claims)}`,
    "http-request set-var(txn.first) int(1) if !{ var(sess.asked) -m found }",
    "http-request set-var(sess.asked) int(1)",
    `http-request set-var(txn.slot) ${found(paths.slots)}`,
    `http-request set-var(txn.assertion) ${found(paths.assertions)}`,
    "http-request set-var(txn.names) req.hdr_names(:)",
    ...alternative.requests(termsOf(promoted)),
    ...alternative.responses,
    ...fast.map((conditions) => `use_backend %[${slotPart.name}] if ${termsOf(conditions)}`),
    "default_backend decrypted",
  ]);
}

/** All must hold but those `for-node-`, of which none may; several of one name are alternatives. */
function termsOf(conditions: readonly string[]): string {
  const names = new Set(conditions.map((condition) => condition.split(" ", 1)[0] ?? ""));
  return [...names].map((name) => (name.startsWith("for-node-") ? `!${name}` : name)).join(" ");
}

function promotedConditions(lease: string): readonly string[] {
  return [
    "has-slot var(txn.slot) -m found",
    `is-leased ${isLeased(lease, "txn.now")}`,
    "has-claim var(sess.claim),strcmp(txn.claim) eq 0",
    "has-assertion var(txn.assertion) -m found",
  ];
}

/** What HAProxy forwards as the Node edge would, without a body. */
function readConditions(limits: EdgeLimits): readonly string[] {
  return [
    "is-read method GET HEAD",
    // A body needs no field that says so, but in HTTP/1.1.
    "has-ended internal.htx.has_eom",
    "has-ended req.ver 1.1",
    "has-no-body req.body_len eq 0",
    `for-node-fields ${hasField([...fieldsForNode, "content-length"])}`,
    // Names and values alone: what separates them has four bytes for each field.
    `for-node-size internal.htx.data gt ${limits.headBytes - 4 * limits.fields}`,
    ...headConditions(limits),
  ];
}

/** The same with a body of known length that no limit refuses; `upload-pace.ts` measures it. */
function uploadConditions(limits: EdgeLimits): readonly string[] {
  const { bodyBytes, headBytes } = limits;
  return [
    "is-upload method POST PUT PATCH DELETE",
    "has-one-length req.fhdr_cnt(content-length) eq 1",
    "has-plain-length req.fhdr(content-length) -m reg ^[0-9]{1,15}$",
    `for-node-body-limit ${slotPart.bodyLimit} -m len gt 0`,
    ...(bodyBytes === 0 ? [] : [`fits-body-limit req.hdr_val(content-length) le ${bodyBytes}`]),
    `for-node-upload-fields ${hasField(fieldsForNode)}`,
    // Together less than a head may have. HAProxy may have a part of the body already.
    `for-node-upload-size req.hdrs,length gt ${Math.floor(headBytes / 2)}`,
    `for-node-upload-size url_len gt ${Math.floor(headBytes / 4)}`,
    ...headConditions(limits),
  ];
}

function hasField(names: readonly string[]): string {
  return `var(txn.names) -m reg (^|:)(${names.join("|")})(:|$)`;
}

function headConditions({ fields }: EdgeLimits): readonly string[] {
  return [
    "is-version req.ver 1.1 2.0 3.0",
    "has-one-host req.fhdr_cnt(host) eq 1",
    "has-own-host req.fhdr(host),strcmp(sess.name) eq 0",
    // An absolute target names a host of its own; HAProxy makes one of every request of HTTP/2.
    "has-own-target url_beg /",
    "has-own-target req.ver 2.0 3.0",
    "has-plain-path pathq -m reg ^/(?![.]well-known/)[\\x21\\x22\\x24-\\x7e]*$",
    `for-node-unusual-fields var(txn.names) -m reg [^a-z0-9:-]|^([^:]*+:){${fields}}`,
    "for-node-cookies req.fhdr_cnt(cookie) gt 1",
    "for-node-events req.fhdr(accept) -m sub -i text/event-stream",
  ];
}

function decryptedSection(options: ConfigurationOptions): string {
  const { limits, workers, paths } = options;
  return section("backend decrypted from http", [
    // A worker that hangs has requests under way, and gets fewer.
    "balance leastconn",
    "http-reuse never",
    "option redispatch 1",
    "retry-on conn-failure",
    `timeout server ${Math.max(limits.quietStreamMs, limits.originFirstByteMs) + 5_000}ms`,
    ...servers(
      workers,
      (worker) => peer(options, paths.decrypted(worker)),
      "send-proxy-v2 proxy-v2-options authority,unique-id",
    ),
  ]);
}
