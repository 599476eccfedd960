import type { KeyObject } from "node:crypto";
import type { DirectorySource } from "./directory.ts";
import { AcmeError, isRefusal } from "./error.ts";
import { locationOf } from "./json.ts";
import { bindExternalAccount, type ExternalAccount, jwkOf, type Payload, signJws } from "./jws.ts";
import type { Post } from "./signed-post.ts";
import { shareOne } from "./single-flight.ts";
import type { AcmeAnswer } from "./transport.ts";

export interface AccountOptions {
  /** A private key on P-256; it is the account's identity at the CA. */
  readonly accountKey: KeyObject;
  /** What `account()` gave before, to spare the look-up. */
  readonly accountUrl?: string;
  /** Mail addresses for the CA's notices. */
  readonly contact?: readonly string[];
  readonly eab?: ExternalAccount;
}

/** The account at one CA (RFC 8555 §7.3). */
export interface Account {
  /** The account's URL; looked up by its key and, when unknown to the CA, created. */
  url(signal: AbortSignal): Promise<string>;
  key(): KeyObject;
  /** Signs as the account. When the CA has lost it, it is made anew once and the request repeated. */
  post(
    request: { readonly url: string; readonly payload: Payload; readonly accept?: string },
    signal: AbortSignal,
  ): Promise<AcmeAnswer>;
  /**
   * Replaces the account's key (RFC 8555 §7.3.5). Store the new key first; when this fails, either of
   * the two may be the valid one, and calling it again finds out. No other request should be under way.
   */
  rollover(newKey: KeyObject, signal: AbortSignal): Promise<void>;
}

export function createAccount(
  options: AccountOptions,
  directory: DirectorySource,
  post: Post,
): Account {
  let key = options.accountKey;
  let known = options.accountUrl === undefined ? null : { url: options.accountUrl };

  const open = shareOne(async (signal) => {
    if (known !== null) return known;
    const { newAccount } = await directory(signal);
    const url =
      (await findAccount(post, newAccount, key, signal)) ??
      (await createAtCa(post, newAccount, key, options, signal));
    known = { url };
    return known;
  });

  return {
    url: async (signal) => (await open(signal)).url,
    key: () => key,
    async post(request, signal) {
      const opened = await open(signal);
      try {
        return await post({ ...request, signer: { key, kid: opened.url } }, signal);
      } catch (error) {
        if (!isRefusal(error, "accountDoesNotExist")) throw error;
        // Of several requests that learn of the loss only the first forgets what was known then.
        if (known === opened) known = null;
        const anew = await open(signal);
        return post({ ...request, signer: { key, kid: anew.url } }, signal);
      }
    },
    async rollover(newKey, signal) {
      const { url: kid } = await open(signal);
      const { keyChange: url, newAccount } = await directory(signal);
      const inner = signJws({ key: newKey }, { url }, { account: kid, oldKey: jwkOf(key) });
      try {
        await post({ url, signer: { key, kid }, payload: inner }, signal);
      } catch (error) {
        // The answer to an earlier, successful request may have been lost.
        if ((await findAccount(post, newAccount, newKey, signal)) !== kid) throw error;
      }
      key = newKey;
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
    return locationOf(await post({ url, signer: { key }, payload }, signal));
  } catch (error) {
    if (isUnknown(error)) return null;
    throw error;
  }
}

/** Not every CA uses the error type that the RFC names for it. */
function isUnknown(error: unknown): boolean {
  const status = error instanceof AcmeError ? (error.problem?.status ?? 0) : 0;
  return status >= 400 && status < 500 && status !== 429 && !isRefusal(error, "badNonce");
}

async function createAtCa(
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
  return locationOf(await post({ url, signer: { key }, payload }, signal));
}
