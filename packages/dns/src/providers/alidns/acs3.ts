import { createHash, createHmac } from "node:crypto";

const algorithm = "ACS3-HMAC-SHA256";

/** The headers of a form that Alibaba Cloud's signature (version 3) covers, and the signature. */
export function signAcs3(
  request: { readonly host: string; readonly action: string; readonly body: string },
  keys: { readonly id: string; readonly secret: string },
  at: Date,
  nonce: string,
): Readonly<Record<string, string>> {
  const { host, action, body } = request;
  const signed = {
    "content-type": "application/x-www-form-urlencoded",
    host,
    "x-acs-action": action,
    "x-acs-content-sha256": sha256(body),
    "x-acs-date": at.toISOString().replace(/\.\d+Z$/, "Z"),
    "x-acs-signature-nonce": nonce,
    "x-acs-version": "2015-01-09",
  };
  const names = Object.keys(signed).join(";");
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}`);
  const canonical = ["POST", "/", "", ...lines, "", names, sha256(body)].join("\n");
  const signature = createHmac("sha256", keys.secret)
    .update(`${algorithm}\n${sha256(canonical)}`)
    .digest("hex");
  const authorization = `${algorithm} Credential=${keys.id},SignedHeaders=${names},Signature=${signature}`;
  // The client sets the host by itself.
  const { host: _, ...headers } = signed;
  return { ...headers, authorization };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
