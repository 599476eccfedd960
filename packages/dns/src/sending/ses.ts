import { ProviderError } from "../providers/adapter/errors.ts";
import { boolean, list, object, optional, text } from "../providers/adapter/json.ts";
import { signAws } from "../providers/adapter/sigv4.ts";
import { below, explainAnswer, type SendingReader, unknownDomain } from "./reader.ts";

const Identity = object({
  VerifiedForSendingStatus: optional(boolean, false),
  DkimAttributes: object({
    Tokens: optional(list(text), []),
    SigningHostedZone: optional(text, "dkim.amazonses.com"),
    SigningAttributesOrigin: optional(text, "AWS_SES"),
  }),
  MailFromAttributes: optional(object({ MailFromDomain: optional(text, "") }), {
    MailFromDomain: "",
  }),
});

/** Amazon SES v2: Signature Version 4. SES checks DNS by itself; there is nothing to ask for. */
export const readSes: SendingReader = async (open, request, signal) => {
  const { domain, access, baseUrl, now } = request;
  const region = access["region"] ?? "us-east-1";
  const keys = {
    accessKeyId: access["access_key_id"] ?? "",
    secretAccessKey: access["secret_access_key"] ?? "",
    sessionToken: null,
  };
  const api = open({
    baseUrl,
    headers: {},
    explain: explainAnswer,
    authorize: async (call) => signAws(call, keys, { region, service: "ses" }, now()),
  });
  const path = `/v2/email/identities/${encodeURIComponent(domain)}`;
  const identity = await api.read({ path }, Identity, signal).catch((error: unknown) => {
    const isUnknown = error instanceof ProviderError && error.kind === "not_found";
    throw isUnknown ? unknownDomain("Amazon SES", domain) : error;
  });
  const { Tokens, SigningHostedZone, SigningAttributesOrigin } = identity.DkimAttributes;
  if (SigningAttributesOrigin !== "AWS_SES") {
    const message = `${domain} has a DKIM key of its own at Amazon SES: add its record by hand.`;
    throw new ProviderError("unsupported", message);
  }
  const targets = Tokens.map((token, index) => [
    `dkim_target${index + 1}`,
    `${token}.${SigningHostedZone}`,
  ]);
  const { MailFromDomain: mailFrom } = identity.MailFromAttributes;
  return {
    inputs: {
      ...Object.fromEntries(targets),
      region,
      ...(mailFrom === "" ? {} : { return_path: below(mailFrom, domain) }),
    },
    isAccepted: identity.VerifiedForSendingStatus,
  };
};
