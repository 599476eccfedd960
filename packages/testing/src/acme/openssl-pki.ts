import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A certificate with its key, as files and as text. */
export interface Pair {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** A private CA made by openssl. */
export interface Pki {
  readonly ca: Pair;
  readonly directory: string;
  /** A leaf for a server with these names, or for a client. */
  issue(name: string, use: "server" | "client"): Promise<Pair>;
  /** SHA-256, as openssl shows it. */
  fingerprint(pair: Pair): Promise<string>;
  remove(): Promise<void>;
}

export async function createPki(): Promise<Pki> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-pki-"));
  const openssl = async (...args: readonly string[]): Promise<string> =>
    (await run("openssl", args, { cwd: directory })).stdout;
  const readPair = async (name: string): Promise<Pair> => {
    const certFile = path.join(directory, `${name}.pem`);
    const keyFile = path.join(directory, `${name}.key`);
    const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
    return { certFile, keyFile, cert, key };
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  await openssl(
    "req",
    "-x509",
    ...newKey,
    "-days",
    "30",
    "-subj",
    "/CN=Private CA",
    "-addext",
    "basicConstraints=critical,CA:TRUE",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
  );
  return {
    ca: await readPair("ca"),
    directory,
    async issue(name, use) {
      const usage = use === "server" ? "serverAuth" : "clientAuth";
      const extensions = `subjectAltName=DNS:${name}\nextendedKeyUsage=${usage}\n`;
      await writeFile(path.join(directory, `${name}.ext`), extensions);
      await openssl(
        "req",
        "-new",
        ...newKey,
        "-subj",
        `/CN=${name}`,
        "-keyout",
        `${name}.key`,
        "-out",
        `${name}.csr`,
      );
      await openssl(
        "x509",
        "-req",
        "-in",
        `${name}.csr`,
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "20",
        "-extfile",
        `${name}.ext`,
        "-out",
        `${name}.pem`,
      );
      return await readPair(name);
    },
    async fingerprint({ certFile }) {
      const text = await openssl("x509", "-in", certFile, "-noout", "-fingerprint", "-sha256");
      return text.trim().replace(/^.*=/, "");
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
