import type { KeyObject } from "node:crypto";
import { parseChain } from "../x509/chain.ts";
import type { Account } from "./account.ts";
import { isRefusal } from "./acme-error.ts";
import type { DirectorySource } from "./directory.ts";
import { malformed, urlOf } from "./json-body.ts";
import type { AcmeAnswer } from "./request.ts";
import type { Post } from "./signed-post.ts";

export interface Download {
  /** Leaf first, then what links it to a root (RFC 8555 §7.4.2). */
  readonly chainPem: string;
  /** The same leaf with other chains. */
  readonly alternates: readonly string[];
}

export interface Revocation {
  /** RFC 5280 §5.3.1: 0 unspecified, 1 key compromised, 4 superseded, 5 no longer in use. */
  readonly reason?: 0 | 1 | 4 | 5;
  /** The certificate's own key signs instead of the account, for certificates of other accounts. */
  readonly certificateKey?: KeyObject;
}

const pemChainType = "application/pem-certificate-chain";

/** Fetches a chain; throws `malformed` unless each certificate is signed by the next. */
export async function downloadChain(
  account: Account,
  url: string,
  signal: AbortSignal,
): Promise<Download> {
  const answer = await account.post({ url, payload: null, accept: pemChainType }, signal);
  return { chainPem: checkedChain(answer.text), alternates: alternatesIn(answer) };
}

/** RFC 8555 §7.6. Revoking what is revoked succeeds. */
export async function revokeCertificate(
  account: Account,
  directory: DirectorySource,
  post: Post,
  certificatePem: string,
  { reason, certificateKey }: Revocation,
  signal: AbortSignal,
): Promise<void> {
  const { revokeCert: url } = await directory(signal);
  const certificate = parseChain(certificatePem).leaf.der.toString("base64url");
  const payload = { certificate, ...(reason === undefined ? {} : { reason }) };
  try {
    if (certificateKey === undefined) await account.post({ url, payload }, signal);
    else await post({ url, payload, signer: { key: certificateKey } }, signal);
  } catch (error) {
    if (!isRefusal(error, "alreadyRevoked")) throw error;
  }
}

function checkedChain(text: string): string {
  try {
    return parseChain(text).certificates.join("");
  } catch (error) {
    if (error instanceof TypeError) throw malformed(error.message);
    throw error;
  }
}

/** `Link: <url>;rel="alternate"`, any number of them in any number of headers (RFC 8288 §3). */
function alternatesIn(answer: AcmeAnswer): string[] {
  const links = answer.headers.get("link") ?? "";
  return [...links.matchAll(/<([^>]*)>\s*;[^,]*\brel="?alternate"?/gi)].map(([, url]) =>
    urlOf(url, answer.url),
  );
}
