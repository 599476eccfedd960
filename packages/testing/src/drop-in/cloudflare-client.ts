import assert from "node:assert/strict";
import { loadPackages } from "../../../../test/npm-packages/load-packages.ts";
import type { Caller } from "../clients/connecting.ts";

export const { Cloudflare } = (await loadPackages("official-sdks"))("cloudflare");

/** Without types: the package is installed by the tests that use it. */
export type CloudflareClient = ReturnType<NodeJS.Require>;

export const prefix = "/compat/cloudflare/client/v4";

/** The vendor's own client, of which only the base URL is changed. */
export function createCloudflareClient({
  base,
  key,
}: Pick<Caller, "base" | "key">): CloudflareClient {
  return new Cloudflare({ apiToken: key, baseURL: `${base}${prefix}`, maxRetries: 2 });
}

/**
 * For `assert.rejects`: the client throws its error of this status, with this code of the vendor.
 */
export function codeIs(status: number, code: number, message?: string) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof Cloudflare.APIError, String(error));
    const failure = error as CloudflareFailure;
    const [first] = failure.errors;
    assert.deepEqual([failure.status, first?.code], [status, code], failure.message);
    if (message !== undefined) assert.equal(first?.message, message);
    return true;
  };
}

interface CloudflareFailure extends Error {
  readonly status: number;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/** What products without the client read of an answer. */
export interface HostnameAnswer {
  readonly success: boolean;
  readonly result: {
    readonly id: string;
    readonly status: string;
    readonly verification_errors: readonly string[];
    readonly ownership_verification: { readonly name: string; readonly value: string };
    readonly ssl: { readonly status: string; readonly validation_errors: readonly object[] };
  };
}
