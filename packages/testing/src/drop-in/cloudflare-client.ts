import assert from "node:assert/strict";
import Cloudflare from "cloudflare";
import type { Caller } from "../clients/connecting.ts";

export const prefix = "/compat/cloudflare/client/v4";

/** The vendor's own client, of which only the base URL is changed. */
export function clientOf({ base, key }: Pick<Caller, "base" | "key">): Cloudflare {
  return new Cloudflare({ apiToken: key, baseURL: `${base}${prefix}`, maxRetries: 2 });
}

/** For `assert.rejects`: the client throws its error of this status, with this code of the vendor. */
export function codeIs(status: number, code: number, message?: string) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof Cloudflare.APIError, String(error));
    assert.deepEqual([error.status, error.errors[0]?.code], [status, code], error.message);
    if (message !== undefined) assert.equal(error.errors[0]?.message, message);
    return true;
  };
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
