import { readFileSync } from "node:fs";
import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { text } from "node:stream/consumers";
import type { Config } from "@mooring/control";
import { type Finding, fail, ok, warn } from "./finding.ts";

const check = "acme";
const timeoutMs = 5_000;

type AcmeConfig = Pick<
  Config,
  "acmeDirectoryUrls" | "acmeCaFile" | "acmeEabKid" | "acmeEabs" | "acmeProfiles"
>;

/** Fetches each directory as an edge would; orders nothing. */
export async function checkAcme(config: AcmeConfig, isProduction: boolean): Promise<Finding[]> {
  if (config.acmeDirectoryUrls.length === 0) {
    return [
      isProduction
        ? warn(
            check,
            "ACME_DIRECTORY_URL is not set: certificates come from the local CA, which no browser trusts",
            "set it, as in https://acme-v02.api.letsencrypt.org/directory",
          )
        : ok(check, "the local CA"),
    ];
  }
  const trust = trustIn(config.acmeCaFile);
  if (typeof trust !== "string" && trust !== null) return [trust];
  return Promise.all(
    config.acmeDirectoryUrls.map((url) =>
      checkDirectory(url, trust, {
        hasExternalAccount: config.acmeEabs[url] !== undefined || config.acmeEabKid !== null,
        profile: config.acmeProfiles[url] ?? null,
      }),
    ),
  );
}

function trustIn(file: string | null): string | Finding | null {
  if (file === null) return null;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail(check, `ACME_CA_FILE cannot be read: ${why}`, "correct its path or its owner");
  }
}

async function checkDirectory(
  url: string,
  trust: string | null,
  requested: { readonly hasExternalAccount: boolean; readonly profile: string | null },
): Promise<Finding> {
  try {
    const { status, body } = await fetchText(url, trust);
    const directory = directoryIn(body);
    if (status !== 200 || directory === null) {
      return fail(
        check,
        `${url} answers ${status} and is not an ACME directory`,
        "correct ACME_DIRECTORY_URL: it names the directory itself, not the CA's site",
      );
    }
    if (directory.needsExternalAccount && !requested.hasExternalAccount) {
      const fix = "set ACME_EAB_KID and ACME_EAB_KEY, or ACME_EABS, to what the CA gave you";
      return fail(check, `${url} accepts only accounts with an external binding`, fix);
    }
    const { profile } = requested;
    if (profile !== null && profile !== "none" && !directory.profiles.includes(profile)) {
      const offered = directory.profiles.join(", ") || "none";
      return fail(
        check,
        `${url} does not offer the profile ${profile}; it offers ${offered}`,
        "correct ACME_PROFILES: until then no certificate is ordered there",
      );
    }
    return ok(check, `${url} answers`);
  } catch (error) {
    return unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): Finding {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return fail(
      check,
      `the certificate of ${url} is not trusted (${code})`,
      "set ACME_CA_FILE to the root of a private CA",
    );
  }
  const why = code || (error instanceof Error ? error.message : String(error));
  return fail(
    check,
    `${url} cannot be reached (${why})`,
    "correct ACME_DIRECTORY_URL, or allow this machine to connect to it over TCP",
  );
}

function fetchText(
  url: string,
  trust: string | null,
): Promise<{ readonly status: number; readonly body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly status: number;
    readonly body: string;
  }>();
  const get = url.startsWith("https:") ? getSecure : getPlain;
  const options = {
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    ...(trust === null ? {} : { ca: trust }),
  };
  const request = get(url, options, (response) => {
    text(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, body }),
      (error: unknown) => reject(error),
    );
  });
  request.on("error", reject);
  return promise;
}

interface Directory {
  readonly needsExternalAccount: boolean;
  readonly profiles: readonly string[];
}

/** Parses an ACME directory (RFC 8555 §7.1.1); null when it is not one. */
function directoryIn(body: string): Directory | null {
  const value = parsed(body);
  if (typeof value !== "object" || value === null || !("newOrder" in value)) return null;
  const meta = "meta" in value ? value.meta : null;
  const needsExternalAccount =
    typeof meta === "object" &&
    meta !== null &&
    "externalAccountRequired" in meta &&
    meta.externalAccountRequired === true;
  const profiles =
    typeof meta === "object" && meta !== null && "profiles" in meta ? meta.profiles : null;
  const offered = typeof profiles === "object" && profiles !== null ? Object.keys(profiles) : [];
  return { needsExternalAccount, profiles: offered };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // not a directory
  }
}
