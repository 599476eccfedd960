import type { KeyObject } from "node:crypto";
import { createSingleFlight } from "@mooring/concurrency";
import type { DirectorySource } from "./directory.ts";
import { AcmeError, isRefusal } from "./error.ts";
import { readLocation } from "./json.ts";
import { bindExternalAccount, type ExternalAccount, type Payload } from "./jws.ts";
import type { Post } from "./signed-post.ts";
import type { AcmeAnswer } from "./transport.ts";

export interface AccountOptions {
  /** A private key on P-256; it is the account's identity at the CA. */
  readonly accountKey: KeyObject;
  /** Mail addresses for the CA's notices. */
  readonly contact?: readonly string[];
  readonly eab?: ExternalAccount;
}

/** The account at one CA (RFC 8555 §7.3). */
export interface Account {
  /** The account's URL, found by its key; the account is created if the CA does not know it. */
  url(signal: AbortSignal): Promise<string>;
  key(): KeyObject;
  /** Sends a request as the account. If the CA has lost the account, it is created again once. */
  post(
    request: { readonly url: string; readonly payload: Payload; readonly accept?: string },
    signal: AbortSignal,
  ): Promise<AcmeAnswer>;
}

export function createAccount(
  options: AccountOptions,
  directory: DirectorySource,
  post: Post,
): Account {
  const key = options.accountKey;
  let known: { readonly url: string } | null = null;

  const share = createSingleFlight<{ readonly url: string }>();
  const findOrCreate = async (signal: AbortSignal): Promise<{ readonly url: string }> => {
    if (known !== null) return known;
    const { newAccount } = await directory(signal);
    const url =
      (await findAccount(post, newAccount, key, signal)) ??
      (await createNewAccount(post, newAccount, key, options, signal));
    known = { url };
    return known;
  };
  const open = (signal: AbortSignal) => share("account", signal, findOrCreate);

  return {
    url: async (signal) => (await open(signal)).url,
    key: () => key,
    async post(request, signal) {
      const opened = await open(signal);
      try {
        return await post({ ...request, signer: { key, kid: opened.url } }, signal);
      } catch (error) {
        if (!isRefusal(error, "accountDoesNotExist")) throw error;
        // Of several requests that find the account lost, only the first resets it.
        if (known === opened) known = null;
        const reopened = await open(signal);
        return post({ ...request, signer: { key, kid: reopened.url } }, signal);
      }
    },
  };
}

/** The URL of the account that has this key, null when there is none (RFC 8555 §7.3.1). */
async function findAccount(
  post: Post,
  url: string,
  key: KeyObject,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const payload = { onlyReturnExisting: true };
    return readLocation(await post({ url, signer: { key }, payload }, signal));
  } catch (error) {
    if (isUnknown(error)) return null;
    throw error;
  }
}

/** Some CAs use another error type than the one of the RFC. */
function isUnknown(error: unknown): boolean {
  const status = error instanceof AcmeError ? (error.problem?.status ?? 0) : 0;
  return status >= 400 && status < 500 && status !== 429 && !isRefusal(error, "badNonce");
}

async function createNewAccount(
  post: Post,
  url: string,
  key: KeyObject,
  { contact = [], eab }: AccountOptions,
  signal: AbortSignal,
): Promise<string> {
  const payload = {
    termsOfServiceAgreed: true,
    ...(contact.length === 0 ? {} : { contact: contact.map((address) => `mailto:${address}`) }),
    ...(eab === undefined ? {} : { externalAccountBinding: bindExternalAccount(eab, key, url) }),
  };
  return readLocation(await post({ url, signer: { key }, payload }, signal));
}
