import { isIPv6, type LookupFunction } from "node:net";
import { parseAddress } from "./address.ts";
import { type Connect, createDial, type Dial, type TlsOptions } from "./dial.ts";
import { EgressError } from "./egress-error.ts";
import {
  type CheckedAddress,
  type CheckedResolver,
  checkUrl,
  createCheckedResolver,
  createLookup,
  createPolicy,
  type PolicyOptions,
  type Resolver,
  type UrlRules,
} from "./policy.ts";
import {
  createFetch,
  type EgressRequest,
  type EgressResponse,
  type FetchRules,
  type Limits,
  sendRequest,
} from "./request.ts";
import { sharedResolver } from "./resolve/system-resolver.ts";

export interface GuardOptions extends PolicyOptions {
  /** `ip[:port]` of the recursive resolvers; those of the system by default. */
  readonly nameServers?: readonly string[];
  /** Resolves names instead of the name servers, without a cache. */
  readonly lookup?: Resolver;
  readonly connect?: Connect;
  /** For every TLS connection of this guard, such as a private certificate authority. */
  readonly tls?: TlsOptions;
  /** Limits of `fetch`; by default 5 s to connect, 30 s in all, 8 MiB. */
  readonly fetchLimits?: Limits;
}

/**
 * Safe to use concurrently; holds no connection between calls. Answers of name servers are cached
 * by their time to live, and every call checks the addresses that it dials.
 */
export interface Guard {
  /** Checks what needs no network; returns the parsed URL or throws an EgressError. */
  checkUrl(url: string | URL, rules?: UrlRules): URL;
  /** The name's addresses, all of them checked; for protocols other than TCP. */
  readonly resolve: CheckedResolver;
  readonly lookup: LookupFunction;
  /** A checked TCP or TLS connection to any port, owned by the caller. */
  readonly dial: Dial;
  request(url: string | URL, options?: EgressRequest): Promise<EgressResponse>;
  readonly fetch: typeof globalThis.fetch;
  /** The same for one server: only by these schemes, only with this certificate. */
  fetchWith(rules: FetchRules): typeof globalThis.fetch;
}

export function createGuard(options: GuardOptions = {}): Guard {
  const judge = createPolicy(options);
  const resolve = createCheckedResolver(
    judge,
    options.lookup ?? sharedResolver(options.nameServers ?? []),
  );
  const dial = createDial(resolve, options.connect);
  const tls = options.tls ?? {};

  const request: Guard["request"] = async (url, requestOptions = {}) => {
    let isPublic = false;
    const onResolved = (addresses: readonly CheckedAddress[]): void => {
      isPublic = addresses.every(({ address }) => isPublicAddress(address));
    };
    try {
      const checked = checkUrl(judge, url, requestOptions);
      return await sendRequest(dial, tls, checked, { ...requestOptions, onResolved });
    } catch (error) {
      throw isPublic && error instanceof EgressError ? error.ofPublicHost() : error;
    }
  };

  return {
    checkUrl: (url, rules) => checkUrl(judge, url, rules),
    resolve,
    lookup: createLookup(resolve),
    dial,
    request,
    fetch: createFetch(request, options.fetchLimits),
    fetchWith: (rules) => createFetch(request, options.fetchLimits, rules),
  };
}

const withoutExceptions = createPolicy({});

function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && withoutExceptions(address) === null;
}

/** Whether a literal address may be contacted; for protocols that the guard does not speak. */
export function permitsAddress(guard: Pick<Guard, "checkUrl">, address: string): boolean {
  try {
    guard.checkUrl(`https://${isIPv6(address) ? `[${address}]` : address}/`);
    return true;
  } catch (error) {
    if (error instanceof EgressError) return false;
    throw error;
  }
}
