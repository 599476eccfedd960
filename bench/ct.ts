import { randomBytes, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";
import { OpensslAuthority } from "@mooring/testing/control/openssl-certificates";
import { certificateEntry, type StoredEntry } from "@mooring/testing/control/transparency-log";
import { createClaimFilter } from "../packages/control/src/domain/transparency/claim-filter.ts";
import vectors from "../packages/control/src/domain/transparency/fixtures/vectors.json" with {
  type: "json",
};
import { parseLogList } from "../packages/control/src/domain/transparency/log-list.ts";
import { matchEntries } from "../packages/control/src/domain/transparency/match-entries.ts";
import {
  appendLeaves,
  emptyFrontier,
  type Frontier,
} from "../packages/control/src/domain/transparency/merkle.ts";
import { blockSize } from "../packages/control/src/services/transparency/log-client.ts";
import { createLogClient } from "../packages/control/src/services/transparency/open-log.ts";
import type { SendToLog } from "../packages/control/src/services/transparency/send-to-log.ts";
import { line, perSecond } from "./support/report.ts";

const defaultClaims = 1_000_000;
const entriesPerRun = 200_000;
/** More than fit into the window of gzip. */
const distinct = 64;
/** What a log has beside the leaf: the chain, of which two certificates are sent along. */
const chainBytes = 2_600;

/**
 * Entries a second of processor time: the log's answer is read, hashed into the tree, and its names
 * are compared with the claims. Without network, signatures and database, which are once for
 * thousands.
 */
export async function benchCt(size: number | null): Promise<void> {
  const claims = size ?? defaultClaims;
  const filter = createClaimFilter(claims);
  for (let index = 0; index < claims; index += 1) filter.add(`shop.customer-${index}.example`);
  const entries = makeEntries();
  const { signal } = new AbortController();
  for (const kind of ["rfc6962", "static"] as const) {
    const client = createLogClient(listedLog(kind), answerWith(kind, entries));
    const run = async (count: number) => {
      let frontier: Frontier = emptyFrontier;
      let found = 0;
      while (frontier.size < count) {
        const range = { start: 0, end: blockSize, treeSize: blockSize };
        const leaves = await client.leaves(range, signal);
        frontier = appendLeaves(
          frontier,
          leaves.map(({ leafHash }) => leafHash),
        );
        const matched = matchEntries(
          leaves.map(({ entry }) => entry),
          filter,
        );
        if (matched.unreadable > 0) throw new Error("an entry that cannot be read");
        found += matched.certificates.length;
      }
      return { entries: frontier.size, found };
    };
    await run(entriesPerRun / 10);
    const before = { cpu: process.cpuUsage(), memory: process.memoryUsage().rss };
    const done = await run(entriesPerRun);
    const { user, system } = process.cpuUsage(before.cpu);
    const grown = (process.memoryUsage().rss - before.memory) / 2 ** 20;
    line(
      `${kind}, ${claims.toLocaleString("en")} claims`,
      `${perSecond(done.entries / ((user + system) / 1e6))} of a core`,
      `${grown.toFixed(0)} MB grown`,
      `${((100 * done.found) / done.entries).toFixed(2)} % passed`,
    );
  }
  line("resident", `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`);
}

/** OpenSSL's certificates of P-256 keys, with as much in them as most in the logs have. */
function makeEntries(): readonly StoredEntry[] {
  const authority = new OpensslAuthority();
  try {
    const made = Array.from({ length: distinct }, (_, index) => {
      const zone = `${randomBytes(6).toString("hex")}.example`;
      const all = [zone, `www.${zone}`, `*.${zone}`, `mail.${zone}`];
      const names = all.slice(0, 1 + (index % all.length));
      const pem = authority.leaf({ names, extensions: usualExtensions() }).certificate;
      return certificateEntry(new X509Certificate(pem).raw, Date.now());
    });
    return Array.from({ length: blockSize }, (_, index) => made[index % distinct]).filter(
      (entry) => entry !== undefined,
    );
  } finally {
    authority.close();
  }
}

/** Two timestamps of logs, and where the issuer is found. */
function usualExtensions(): readonly string[] {
  const timestamps = `0481f0${randomBytes(240).toString("hex")}`;
  return [
    `1.3.6.1.4.1.11129.2.4.2=DER:${timestamps}`,
    "authorityInfoAccess=caIssuers;URI:http://r11.i.ca.example/,OCSP;URI:http://r11.o.ca.example",
    "certificatePolicies=2.23.140.1.2.1",
    "extendedKeyUsage=serverAuth,clientAuth",
    "keyUsage=critical,digitalSignature",
  ];
}

function listedLog(kind: "rfc6962" | "static") {
  const [made] = vectors.logs;
  const listed = {
    key: made?.key,
    log_id: made?.log_id,
    url: "https://log.example/",
    monitoring_url: "https://log.example/",
    submission_url: "https://log.example/",
  };
  const list = kind === "rfc6962" ? { logs: [listed] } : { tiled_logs: [listed] };
  const [log] = parseLogList(JSON.stringify({ operators: [list] })).logs;
  if (log === undefined) throw new Error("no log");
  return log;
}

const unzip = promisify(gunzip);

/** The bytes of one answer, as a log sends them: JSON, or a tile in gzip. */
function answerWith(kind: "rfc6962" | "static", entries: readonly StoredEntry[]): SendToLog {
  const answers = entries.map(({ leafInput }) => ({
    leaf_input: leafInput.toString("base64"),
    extra_data: randomBytes(chainBytes).toString("base64"),
  }));
  const json = Buffer.from(JSON.stringify({ entries: answers }));
  const tile = gzipSync(Buffer.concat(entries.map(({ tileLeaf }) => tileLeaf)));
  const size = kind === "rfc6962" ? json.length : tile.length;
  line(`${kind}, octets of an answer of ${entries.length}`, size.toLocaleString("en"));
  return async () => ({ status: "ok", body: kind === "rfc6962" ? json : await unzip(tile) });
}
