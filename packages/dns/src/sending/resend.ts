import { list, object, optional, text } from "../providers/adapter/json.ts";
import { allPages } from "../providers/adapter/json-api.ts";
import {
  type AccountDomain,
  below,
  explainAnswer,
  type SendingReader,
  unknownDomain,
} from "./reader.ts";

const Listed = object({ id: text, name: text });
const Page = object({ data: list(Listed), has_more: optional((value) => value === true, false) });
const Shown = object({
  status: text,
  region: optional(text, "us-east-1"),
  records: list(object({ record: text, type: text, name: text, value: text })),
});

/** Resend: a bearer key; a domain is found by its name in the list. */
export const readResend: SendingReader = async (open, request, signal) => {
  const { domain, access, baseUrl } = request;
  const headers = { authorization: `Bearer ${access["api_key"] ?? ""}` };
  const api = open({ baseUrl, headers, explain: explainAnswer });
  const domains = await allPages(async (after: string | null) => {
    const query = { limit: 100, ...(after === null ? {} : { after }) };
    const { data, has_more } = await api.read({ path: "/domains", query }, Page, signal);
    return { items: data, next: has_more ? (data.at(-1)?.id ?? null) : null };
  });
  const found = domains.find(({ name }) => name.toLowerCase() === domain);
  if (found === undefined) throw unknownDomain("Resend", domain);
  const path = `/domains/${encodeURIComponent(found.id)}`;
  if (request.verify) await api.write({ method: "POST", path: `${path}/verify` }, signal);
  const { status, region, records } = await api.read({ path }, Shown, signal);
  const dkim = records.find(({ record }) => record === "DKIM");
  const returnPath = records.find(({ record, type }) => record === "SPF" && type === "MX");
  const inputs: AccountDomain["inputs"] = {
    region,
    ...(dkim === undefined ? {} : { dkim_value: dkim.value }),
    ...(returnPath === undefined ? {} : { return_path: below(returnPath.name, domain) }),
  };
  return { inputs, isAccepted: status === "verified" };
};
