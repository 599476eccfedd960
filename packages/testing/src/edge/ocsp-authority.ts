import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface OcspPair {
  readonly cert: string;
  readonly key: string;
}

/** A CA of openssl with its list of issued certificates, from which `openssl ocsp` answers. */
export interface OcspAuthority {
  readonly cert: string;
  readonly certFile: string;
  /** A certificate with these extensions, in the words of openssl's configuration. */
  issue(name: string, serial: number, extensions: readonly string[]): Promise<OcspPair>;
  /** Makes a certificate of another CA one that `respond` can sign with. */
  adopt(name: string, pair: OcspPair): Promise<void>;
  /** Writes the list: the status of each serial number; others are unknown. */
  setStatus(list: Readonly<Record<number, "V" | "R">>): Promise<void>;
  /** The answer to a request, signed by the CA or by the named certificate. */
  respond(request: Buffer, options: readonly string[], signer?: string): Promise<Buffer>;
  /** The real responder on a port of loopback; returns how to stop it. */
  serve(port: number): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export async function createOcspAuthority(commonName: string): Promise<OcspAuthority> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-ocsp-"));
  const openssl = (...args: readonly string[]) => run("openssl", args, { cwd: directory });
  const read = (name: string): Promise<string> => readFile(path.join(directory, name), "utf8");
  const write = (name: string, content: string | Buffer): Promise<void> =>
    writeFile(path.join(directory, name), content);
  await openssl(
    "req",
    "-x509",
    ...newKey,
    "-days",
    "30",
    "-subj",
    `/CN=${commonName}`,
    "-addext",
    "basicConstraints=critical,CA:TRUE",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
  );
  const responder = ["ocsp", "-index", "index.txt", "-CA", "ca.pem"];

  return {
    cert: await read("ca.pem"),
    certFile: path.join(directory, "ca.pem"),
    async issue(name, serial, extensions) {
      await write(`${name}.ext`, `${extensions.join("\n")}\n`);
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
        "-set_serial",
        String(serial),
        "-days",
        "20",
        "-extfile",
        `${name}.ext`,
        "-out",
        `${name}.pem`,
      );
      return { cert: await read(`${name}.pem`), key: await read(`${name}.key`) };
    },
    async adopt(name, { cert, key }) {
      await write(`${name}.pem`, cert);
      await write(`${name}.key`, key);
    },
    async setStatus(list) {
      const lines = Object.entries(list).map(([serial, status]) => {
        const hex = Number(serial).toString(16).toUpperCase();
        const revokedAt = status === "R" ? "260101000000Z" : "";
        const number = hex.length % 2 === 0 ? hex : `0${hex}`;
        return `${status}\t490101000000Z\t${revokedAt}\t${number}\tunknown\t/CN=${serial}\n`;
      });
      await write("index.txt", lines.join(""));
    },
    async respond(request, options, signer = "ca") {
      await write("request.der", request);
      await openssl(
        ...responder,
        "-rsigner",
        `${signer}.pem`,
        "-rkey",
        `${signer}.key`,
        "-reqin",
        "request.der",
        "-respout",
        "response.der",
        ...options,
      );
      return await readFile(path.join(directory, "response.der"));
    },
    async serve(port) {
      const child = spawn(
        "openssl",
        [...responder, "-rsigner", "ca.pem", "-rkey", "ca.key", "-port", `${port}`, "-ndays", "7"],
        { cwd: directory, stdio: ["ignore", "pipe", "pipe"] },
      );
      // It says so when it accepts connections; afterwards its lines are of no interest.
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
      child.stdout.resume();
      child.stderr.resume();
      return async () => {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      };
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
