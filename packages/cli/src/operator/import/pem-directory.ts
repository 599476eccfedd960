import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { ImportRow } from "@mooring/control";

/** A chain with a key takes a few kilobytes; anything larger is no such file. */
const maxFileBytes = 256 * 1024;
/** More than the names of any server have. */
const maxDirectories = 1_000_000;
/** Also of the forms that only OpenSSL writes, and of a block that breaks off. */
const certificateStart = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const certificateBlock = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const keyBlock =
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END (?:[A-Z]+ )?PRIVATE KEY-----/g;

interface FoundChain {
  readonly file: string;
  readonly leaf: X509Certificate;
  readonly blocks: readonly string[];
}

/**
 * The certificates below a directory, one row for each name of each: the layouts of Caddy, certbot,
 * lego, acme.sh and one's own. A key belongs to the certificate with its public key, wherever its
 * file is. Of several certificates for a name the one that is valid for longest counts.
 */
export async function readPemDirectory(directory: string): Promise<readonly ImportRow[]> {
  const chains = new Map<string, FoundChain>();
  const keys = new Map<string, string>();
  const broken: ImportRow[] = [];
  for await (const { file, text, fault } of filesIn(directory, directory, new Set())) {
    if (fault !== null) broken.push(faulty(file, fault));
    for (const pem of text.match(keyBlock) ?? []) noteKey(keys, pem);
    const chain = readChain(text);
    if (chain === "unreadable") {
      broken.push(faulty(file, "contains a certificate that cannot be read"));
    } else if (chain !== null && !chain.leaf.ca) {
      noteChain(chains, { file, ...chain });
    }
  }
  return [...toRows([...chains.values()], keys), ...broken];
}

function noteChain(chains: Map<string, FoundChain>, chain: FoundChain): void {
  const { fingerprint256 } = chain.leaf;
  const known = chains.get(fingerprint256);
  // `fullchain.pem` and `cert.pem` have the same leaf: the longer chain can be served.
  if (chain.blocks.length > (known?.blocks.length ?? 0)) chains.set(fingerprint256, chain);
}

interface FoundFile {
  /** Below the root. */
  readonly file: string;
  readonly text: string;
  /** Why its text could not be read. */
  readonly fault: string | null;
}

/** Each directory once: links may lead to one that was read, or to the one they are in. */
async function* filesIn(
  root: string,
  directory: string,
  read: Set<string>,
): AsyncGenerator<FoundFile> {
  const { dev, ino } = await stat(directory);
  if (read.has(`${dev}:${ino}`) || read.size >= maxDirectories) return;
  read.add(`${dev}:${ino}`);
  const entries = await readdir(directory).catch(cannotRead);
  if (!Array.isArray(entries)) {
    yield { file: path.relative(root, directory) || ".", text: "", fault: entries.fault };
    return;
  }
  for (const entry of entries.sort()) {
    const full = path.join(directory, entry);
    // Follows links: certbot's `live` directory consists of them. A dangling one is skipped.
    const found = await stat(full).catch(() => null);
    if (found?.isDirectory()) yield* filesIn(root, full, read);
    if (!found?.isFile() || found.size > maxFileBytes) continue;
    const file = path.relative(root, full);
    const text = await readFile(full, "latin1").catch(cannotRead);
    if (typeof text !== "string") yield { file, text: "", fault: text.fault };
    else if (text.includes("-----BEGIN ")) yield { file, text, fault: null };
  }
}

/** A certificate that this user may not see must not be missing from the report. */
function cannotRead(error: NodeJS.ErrnoException): { readonly fault: string } {
  return { fault: `cannot be read (${error.code ?? error.message})` };
}

function noteKey(keys: Map<string, string>, pem: string): void {
  try {
    keys.set(publicPart(pem), pem);
  } catch {
    // Encrypted or damaged: its certificate is then reported as one without a key.
  }
}

function publicPart(privatePem: string): string {
  const publicKey = createPublicKey(createPrivateKey(privatePem));
  return publicKey.export({ type: "spki", format: "der" }).toString("base64");
}

/** Null for a text without certificates. */
function readChain(text: string): Omit<FoundChain, "file"> | "unreadable" | null {
  const blocks = text.match(certificateBlock) ?? [];
  const [first] = blocks;
  if (blocks.length !== (text.match(certificateStart) ?? []).length) return "unreadable";
  if (first === undefined) return null;
  try {
    return { leaf: new X509Certificate(first), blocks };
  } catch {
    return "unreadable";
  }
}

function faulty(location: string, fault: string): ImportRow {
  const nothing = { customerRef: null, certificate: null, redirect: null, note: null };
  return { location, hostname: "", ...nothing, fault };
}

function toRows(
  chains: readonly FoundChain[],
  keys: ReadonlyMap<string, string>,
): readonly ImportRow[] {
  const best = new Map<string, FoundChain>();
  for (const chain of chains) {
    for (const name of parseNames(chain.leaf)) {
      const known = best.get(name);
      if (!known || isBetter(chain, known, keys)) best.set(name, chain);
    }
  }
  return [...best].map(([hostname, chain]) => toRow(hostname, chain, keys));
}

/** A certificate whose key is there beats one without. */
function isBetter(one: FoundChain, other: FoundChain, keys: ReadonlyMap<string, string>): boolean {
  const [has, hasOther] = [one, other].map(({ leaf }) => keys.has(exportSpki(leaf) ?? ""));
  if (has !== hasOther) return has === true;
  return one.leaf.validToDate > other.leaf.validToDate;
}

function toRow(hostname: string, chain: FoundChain, keys: ReadonlyMap<string, string>): ImportRow {
  const { file: location, leaf, blocks } = chain;
  const spki = exportSpki(leaf);
  if (spki === null) {
    return { ...faulty(location, "the public key of the certificate cannot be read"), hostname };
  }
  const privateKey = keys.get(spki);
  if (privateKey === undefined) {
    return { ...faulty(location, "there is no private key for the certificate"), hostname };
  }
  const certificate = { certificate: blocks.join("\n"), privateKey };
  const nothing = { customerRef: null, redirect: null, note: null, fault: null };
  return { location, hostname, certificate, ...nothing };
}

/** Null for a key of a kind that OpenSSL does not know; it is decoded only when it is asked for. */
function exportSpki(leaf: X509Certificate): string | null {
  try {
    return leaf.publicKey.export({ type: "spki", format: "der" }).toString("base64");
  } catch {
    return null;
  }
}

/**
 * The DNS names of the subject alternative name. Node quotes an entry of unusual characters:
 * what it contains may be written like other entries, and is no name.
 */
function parseNames({ subjectAltName = "" }: X509Certificate): readonly string[] {
  const plain = subjectAltName.replace(/"(?:[^"\\]|\\.)*"/g, "quoted");
  const names = plain.matchAll(/(?:^|, )DNS:([^,\s]+)(?=, |$)/g);
  return [...new Set([...names].map(([, name = ""]) => name.toLowerCase()))];
}
