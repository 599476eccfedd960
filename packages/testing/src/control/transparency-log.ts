import { generateKeyPairSync, hash, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import vectors from "../../../control/src/domain/transparency/fixtures/vectors.json" with {
  type: "json",
};

/** An entry as a log of each kind has it. */
export interface StoredEntry {
  readonly leafInput: Buffer;
  readonly tileLeaf: Buffer;
}

/** The entries of the fixtures, which Go's libraries made. */
export const madeEntries: readonly StoredEntry[] = splitTile();

function splitTile(): StoredEntry[] {
  const tile = Buffer.from(vectors.data_tile, "base64");
  let start = 0;
  return vectors.entries.map(({ leaf_input, form }) => {
    const leafInput = Buffer.from(leaf_input, "base64");
    let end = start + leafInput.length - 2;
    if (form === "tbs") end += 3 + tile.readUIntBE(end, 3);
    end += 2 + tile.readUInt16BE(end);
    const tileLeaf = tile.subarray(start, end);
    start = end;
    return { leafInput, tileLeaf };
  });
}

/** A certificate in DER as an entry of type x509_entry (RFC 6962 §3.4), without a chain. */
export function certificateEntry(der: Buffer, acceptedAt: number): StoredEntry {
  const head = Buffer.alloc(15);
  head.writeBigUInt64BE(BigInt(acceptedAt), 2);
  head.writeUIntBE(der.length, 12, 3);
  const leafInput = Buffer.concat([head, der, Buffer.alloc(2)]);
  return { leafInput, tileLeaf: Buffer.concat([leafInput.subarray(2), Buffer.alloc(2)]) };
}

/** A head as the log answers it, instead of one that it signs. */
export interface FixedHead {
  readonly get_sth: object;
  readonly checkpoint: string;
}

/** Answers a request instead of the log; false leaves it to the log. */
export type Treatment = (url: URL, response: ServerResponse) => boolean;

/** A log of either kind, whose tree is computed as RFC 6962 §2.1 defines it, leaf by leaf. */
export interface TestLog {
  readonly url: string;
  readonly requests: string[];
  /** An entry of a log list, in the list that is of its kind. */
  readonly listed: object;
  entries: StoredEntry[];
  /** Null: signed with the log's key, over all entries. */
  fixedHead: FixedHead | null;
  /** Of the head that it shows; null: all entries. */
  headSize: number | null;
  /** Its signatures are false. */
  isSpoiled: boolean;
  treat: Treatment;
  close(): Promise<void>;
}

const origin = "log.example.org/2026h2";

export interface TestLogOptions {
  readonly kind: "rfc6962" | "static";
  /** The most entries that one answer of get-entries has. */
  readonly pageSize?: number;
  /** The key of another, in DER and base64, whose heads are given. */
  readonly foreignKey?: string;
}

export async function startTransparencyLog(options: TestLogOptions): Promise<TestLog> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const key = options.foreignKey ?? own;
  const logId = hash("sha256", Buffer.from(key, "base64"), "buffer");
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://log.invalid");
    requests.push(`${url.pathname}${url.search}`);
    if (!log.treat(url, response)) answer(url, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const where =
    options.kind === "rfc6962"
      ? { url }
      : { monitoring_url: url, submission_url: `https://${origin}/` };
  const log: TestLog = {
    url,
    requests,
    listed: {
      description: `Log (${options.kind})`,
      key,
      log_id: logId.toString("base64"),
      ...where,
    },
    entries: [],
    fixedHead: null,
    headSize: null,
    isSpoiled: false,
    treat: () => false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };

  function answer(at: URL, response: ServerResponse): void {
    const tree = createTree(log.entries.map(({ leafInput }) => leafInput));
    const size = log.headSize ?? tree.size;
    const head = () => signHead(privateKey, tree.root(0, size), size, log.isSpoiled);
    const send = (value: object): void => void response.end(JSON.stringify(value));
    const count = (name: string): number => Number(at.searchParams.get(name));
    const list = (hashes: readonly Buffer[]) => hashes.map((each) => each.toString("base64"));
    const routes: Readonly<Record<string, () => void>> = {
      "/ct/v1/get-sth": () => send(log.fixedHead?.get_sth ?? head()),
      "/ct/v1/get-entries": () => {
        const most = Math.min(count("end") + 1, count("start") + (options.pageSize ?? 1_000));
        const entries = log.entries.slice(count("start"), most).map(({ leafInput }) => ({
          leaf_input: leafInput.toString("base64"),
          extra_data: "",
        }));
        send({ entries });
      },
      "/ct/v1/get-sth-consistency": () =>
        send({ consistency: list(tree.proof(count("first"), 0, count("second"), true)) }),
      "/ct/v1/get-proof-by-hash": () => {
        const asked = Buffer.from(at.searchParams.get("hash") ?? "", "base64");
        const end = count("tree_size");
        const index = tree.leaves.slice(0, end).findIndex((leaf) => leaf.equals(asked));
        send({ leaf_index: index, audit_path: list(tree.path(index, 0, end)) });
      },
      "/ct/v1/get-entry-and-proof": () => {
        const index = count("leaf_index");
        const leaf_input = log.entries[index]?.leafInput.toString("base64");
        send({ leaf_input, audit_path: list(tree.path(index, 0, count("tree_size"))) });
      },
      "/checkpoint": () => {
        response.end(log.fixedHead?.checkpoint ?? checkpoint(head(), logId));
      },
    };
    const route = routes[at.pathname];
    if (route) route();
    else sendTile(at.pathname, log.entries, tree, response);
  }

  return log;
}

interface Tree {
  readonly size: number;
  readonly leaves: readonly Buffer[];
  root(start: number, end: number): Buffer;
  proof(first: number, start: number, end: number, isWhole: boolean): Buffer[];
  path(index: number, start: number, end: number): Buffer[];
}

const leafHashes = new WeakMap<Buffer, Buffer>();

function createTree(inputs: readonly Buffer[]): Tree {
  const digest = (...parts: readonly Buffer[]): Buffer =>
    hash("sha256", Buffer.concat(parts), "buffer");
  const leaves = inputs.map((input) => {
    const found = leafHashes.get(input) ?? digest(Buffer.of(0), input);
    leafHashes.set(input, found);
    return found;
  });
  const known = new Map<string, Buffer>();
  const middle = (start: number, end: number): number => {
    let half = 1;
    while (half * 2 < end - start) half *= 2;
    return start + half;
  };
  const tree: Tree = {
    size: leaves.length,
    leaves,
    root(start, end) {
      if (end === start) return digest();
      if (end - start === 1) return leaves[start] ?? digest();
      const key = `${start}-${end}`;
      const split = middle(start, end);
      const found =
        known.get(key) ?? digest(Buffer.of(1), tree.root(start, split), tree.root(split, end));
      known.set(key, found);
      return found;
    },
    proof(first, start, end, isWhole) {
      if (first === end - start) return isWhole ? [] : [tree.root(start, end)];
      const split = middle(start, end);
      return first <= split - start
        ? [...tree.proof(first, start, split, isWhole), tree.root(split, end)]
        : [...tree.proof(first - (split - start), split, end, false), tree.root(start, split)];
    },
    path(index, start, end) {
      if (end - start <= 1) return [];
      const split = middle(start, end);
      return index < split - start
        ? [...tree.path(index, start, split), tree.root(split, end)]
        : [...tree.path(index - (split - start), split, end), tree.root(start, split)];
    },
  };
  return tree;
}

const timestamp = 1_794_830_000_000;

function signHead(key: KeyObject, root: Buffer, size: number, isSpoiled: boolean) {
  const signed = Buffer.alloc(50);
  signed[1] = 1;
  signed.writeBigUInt64BE(BigInt(timestamp), 2);
  signed.writeBigUInt64BE(BigInt(size), 10);
  root.copy(signed, 18);
  const signature = sign("sha256", signed, key);
  if (isSpoiled) signature.writeUInt8((signature.at(-1) ?? 0) ^ 1, signature.length - 1);
  const algorithms = Buffer.of(4, 3, signature.length >> 8, signature.length & 255);
  return {
    tree_size: size,
    timestamp,
    sha256_root_hash: root.toString("base64"),
    tree_head_signature: Buffer.concat([algorithms, signature]).toString("base64"),
  };
}

function checkpoint(head: ReturnType<typeof signHead>, logId: Buffer): string {
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(5), logId]);
  const at = Buffer.alloc(8);
  at.writeBigUInt64BE(BigInt(head.timestamp));
  const signature = Buffer.concat([
    hash("sha256", named, "buffer").subarray(0, 4),
    at,
    Buffer.from(head.tree_head_signature, "base64"),
  ]);
  const text = `${origin}\n${head.tree_size}\n${head.sha256_root_hash}\n`;
  return `${text}\n— ${origin} ${signature.toString("base64")}\n`;
}

/** `/tile/0/x001/234.p/5` */
const tilePattern = /^\/tile\/(data|\d)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d+))?$/;

/** Partial tiles of an earlier size are removed once the full one is there, as a log may do. */
function sendTile(
  path: string,
  entries: readonly StoredEntry[],
  tree: Tree,
  response: ServerResponse,
): void {
  const [, kind = "", digits = "", partial] = tilePattern.exec(path) ?? [];
  const index = Number(digits.replaceAll(/[x/]/g, ""));
  const span = kind === "data" ? 1 : 256 ** Number(kind);
  const available = Math.min(256, Math.floor(tree.size / span) - index * 256);
  const width = Number(partial ?? 256);
  const isGone = partial !== undefined && available === 256;
  if (kind === "" || width > available || isGone) {
    response.writeHead(404).end();
    return;
  }
  const first = index * 256;
  if (kind === "data") {
    const leaves = entries.slice(first, first + width).map(({ tileLeaf }) => tileLeaf);
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(Buffer.concat(leaves)));
    return;
  }
  const hashes = Array.from({ length: width }, (_, offset) =>
    tree.root((first + offset) * span, (first + offset + 1) * span),
  );
  response.end(Buffer.concat(hashes));
}
