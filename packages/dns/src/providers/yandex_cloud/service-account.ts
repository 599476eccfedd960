import { constants, type KeyObject, sign } from "node:crypto";
import { ProviderError } from "../adapter/errors.ts";
import { object, text } from "../adapter/json.ts";
import { readPrivateKey } from "../adapter/private-key.ts";

export const tokenUrl = "https://iam.api.cloud.yandex.net/iam/v1/tokens";
/** The longest that is accepted. */
const lifetimeSeconds = 3_600;

export interface ServiceAccount {
  readonly id: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

const file = object({ id: text, service_account_id: text, private_key: text });

/** Reads the key file as it was pasted. Nothing of it enters a message. */
export function readServiceAccount(pasted: string): ServiceAccount {
  try {
    const parsed = file(JSON.parse(pasted), "");
    // A line before the key asks not to remove it.
    const pem = parsed.private_key.slice(parsed.private_key.indexOf("-----BEGIN "));
    const key = readPrivateKey("The private key", pem);
    if (key.asymmetricKeyType !== "rsa") throw new Error("not an RSA key");
    return { id: parsed.service_account_id, keyId: parsed.id, key };
  } catch {
    throw new ProviderError(
      "auth",
      "The authorized key is not a complete JSON key file from Yandex Cloud.",
    );
  }
}

/** A statement (RFC 7519) by the account, signed by PS256 (RFC 7518 §3.5), for a token. */
export function accountStatement({ id, keyId, key }: ServiceAccount, at: Date): string {
  const iat = Math.floor(at.getTime() / 1_000);
  const header = { typ: "JWT", alg: "PS256", kid: keyId };
  const claims = { iss: id, aud: tokenUrl, iat, exp: iat + lifetimeSeconds };
  const content = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("sha256", Buffer.from(content), {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  });
  return `${content}.${signature.toString("base64url")}`;
}
