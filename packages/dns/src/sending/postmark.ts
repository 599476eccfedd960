import { boolean, list, number, object, optional, text } from "../providers/adapter/json.ts";
import { countedPages } from "../providers/adapter/json-api.ts";
import { below, explainAnswer, type SendingReader, unknownDomain } from "./reader.ts";

const Page = object({ TotalCount: number, Domains: list(object({ ID: number, Name: text })) });
const Shown = object({
  DKIMVerified: boolean,
  DKIMHost: optional(text, ""),
  DKIMTextValue: optional(text, ""),
  DKIMPendingHost: optional(text, ""),
  DKIMPendingTextValue: optional(text, ""),
  ReturnPathDomain: optional(text, ""),
  ReturnPathDomainVerified: optional(boolean, false),
});

const pageSize = 500;

/** Postmark: an account token, which is not a server's token. */
export const readPostmark: SendingReader = async (open, request, signal) => {
  const { domain, access, baseUrl } = request;
  const headers = { "x-postmark-account-token": access["account_token"] ?? "" };
  const api = open({ baseUrl, headers, explain: explainAnswer });
  const domains = await countedPages(async (page) => {
    const query = { count: pageSize, offset: (page - 1) * pageSize };
    const { TotalCount, Domains } = await api.read({ path: "/domains", query }, Page, signal);
    return { items: Domains, total: TotalCount };
  });
  const found = domains.find(({ Name }) => Name.toLowerCase() === domain);
  if (found === undefined) throw unknownDomain("Postmark", domain);
  const path = `/domains/${found.ID}`;
  if (request.verify) {
    await api.write({ method: "PUT", path: `${path}/verifyDkim` }, signal);
    await api.write({ method: "PUT", path: `${path}/verifyReturnPath` }, signal);
  }
  const shown = await api.read({ path }, Shown, signal);
  // A key that is to replace the verified one is shown as pending.
  const host = shown.DKIMPendingHost || shown.DKIMHost;
  const value = shown.DKIMPendingTextValue || shown.DKIMTextValue;
  const returnPath = shown.ReturnPathDomain;
  return {
    inputs: {
      dkim_selector: below(host, domain).replace(/\._domainkey$/, ""),
      dkim_value: value,
      ...(returnPath === "" ? {} : { return_path: below(returnPath, domain) }),
    },
    isAccepted: shown.DKIMVerified && (returnPath === "" || shown.ReturnPathDomainVerified),
  };
};
