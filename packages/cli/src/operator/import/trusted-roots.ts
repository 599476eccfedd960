import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import { exitCode } from "../../action.ts";
import { CommandError } from "../failure.ts";

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The roots of the system, or those of Node where the system has none, and those of `ACME_CA_FILE`.
 */
export function trustedRoots(acmeCaFile: string | null): readonly X509Certificate[] {
  const system = getCACertificates("system");
  const pems = system.length > 0 ? system : getCACertificates("bundled");
  return [...pems, ...(acmeCaFile === null ? [] : readRoots(acmeCaFile))].flatMap(parse);
}

function readRoots(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").match(block) ?? [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`ACME_CA_FILE cannot be read: ${reason}`, exitCode.configuration);
  }
}

/** A root of the system that OpenSSL cannot read signs nothing here. */
function parse(pem: string): readonly X509Certificate[] {
  try {
    return [new X509Certificate(pem)];
  } catch {
    return [];
  }
}
