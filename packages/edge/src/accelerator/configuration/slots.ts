import {
  droppedResponseFields,
  identityFields,
  identityPrefixes,
  replacedRequestFields,
} from "../../proxy/headers.ts";
import { http3Alternative } from "../http3.ts";
import { fieldRulesAction, fieldRulesVariable, listedFieldsAction } from "../response-fields.ts";
import { slotPart } from "../slot-value.ts";
import type { ConfigurationOptions } from "./options.ts";
import { section } from "./section.ts";
import { fieldsForNode } from "./web.ts";

export const framingFields = ["connection", "content-length", "transfer-encoding"];

/** Those that only the Node edge handles never get here; HAProxy writes the others itself. */
const droppedFromRequest = namesPattern(
  [...identityFields, ...replacedRequestFields].filter(
    (name) => !["host", "content-length", ...fieldsForNode].includes(name),
  ),
  identityPrefixes,
);
const droppedFromResponse = namesPattern(
  [...droppedResponseFields].filter((name) => !framingFields.includes(name)),
  ["x-svc-"],
);

export function slotName(slot: number): string {
  return `slot${slot}`;
}

/**
 * One for each promoted name, so that no connection to an origin serves two of them. Their rules
 * are for fast requests alone, and are the same for all.
 */
export function slotSections(options: ConfigurationOptions): readonly string[] {
  const { names, paths, http3 } = options;
  const rules = section("defaults slot from http", [
    ...requestRules(options),
    ...responseRules(),
    ...http3Alternative(http3).fast,
  ]);
  // Servers that are added later may name only files that are loaded.
  const loaded = section("backend loaded from http", [
    `server trusted 127.0.0.1:9 disabled ssl verify required ca-file ${paths.trusted}`,
  ]);
  const slots = Array.from({ length: names }, (_, slot) => `backend ${slotName(slot)} from slot`);
  return [rules, [loaded, ...slots].join("\n")];
}

/** What the origin gets, as `proxy/headers.ts` has it. */
function requestRules({ loopId }: ConfigurationOptions): readonly string[] {
  return [
    "http-request set-var(txn.fast) bool(true)",
    // It may have been processed. One that could not be sent is sent again all the same.
    "http-request disable-l7-retry if !{ method GET HEAD }",
    "http-request set-var(txn.body) req.fhdr(content-length) if !{ method GET HEAD }",
    "http-request set-var(txn.asked) req.hdrs,length if !{ method GET HEAD }",
    // All names are compared at once, which few requests need to be by one.
    `http-request del-header ^${droppedFromRequest}$ -m reg if { var(txn.names) -m reg (^|:)${droppedFromRequest}(:|$) }`,
    // No field of these names is left.
    "http-request add-header x-forwarded-for %[src]",
    "http-request add-header x-forwarded-proto https",
    "http-request add-header x-forwarded-host %[var(sess.name)]",
    "http-request add-header x-real-ip %[src]",
    "http-request add-header x-svc-assertion %[var(txn.assertion)]",
    "http-request add-header x-svc-connection %[var(txn.claim),field(1,.)]",
    `http-request add-header via "%[req.ver] ${loopId}"`,
    `http-request add-header cdn-loop ${loopId}`,
  ];
}

/** What visitors get of an origin's response, as `proxy/headers.ts` has it. */
function responseRules(): readonly string[] {
  return [
    "http-response set-var(txn.head) res.hdrs,length",
    "http-response set-var(txn.length) res.fhdr(content-length)",
    // HAProxy has taken `close` and `keep-alive` away; a script that has failed has left it.
    `http-response lua.${listedFieldsAction} if { res.fhdr_cnt(connection) gt 0 }`,
    "http-response deny deny_status 502 if { res.fhdr_cnt(connection) gt 0 }",
    `http-response del-header ^${droppedFromResponse}$ -m reg`,
    "http-response set-header date %[date,http_date] if !{ res.fhdr_cnt(date) gt 0 }",
    `http-response set-var(${fieldRulesVariable}) ${slotPart.rules}`,
    `http-response lua.${fieldRulesAction} if { var(${fieldRulesVariable}) -m len gt 0 }`,
    `http-after-response set-var(txn.hsts) ${slotPart.hsts}`,
    // Also of HAProxy's own pages.
    "http-after-response set-header strict-transport-security %[var(txn.hsts)] if { var(txn.hsts) -m len gt 0 }",
    `http-after-response set-status 502 reason "Bad Gateway" if { status 503 } { res.fhdr_cnt(x-svc-reference) gt 0 }`,
  ];
}

/** For a name alone, and for names with colons between them. */
function namesPattern(names: readonly string[], prefixes: readonly string[]): string {
  return `(${[...names, ...prefixes.map((prefix) => `${prefix}[^:]*`)].join("|")})`;
}
