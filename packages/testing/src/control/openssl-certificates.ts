import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface MadePair {
  readonly certificate: string;
  readonly key: string;
}

interface LeafOptions {
  /** As `openssl genpkey` takes it, after `-algorithm`. */
  readonly key?: readonly string[];
  readonly names?: readonly string[];
  readonly digest?: string;
  readonly extensions?: readonly string[];
}

const p256 = ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"];

/** A root, an intermediate and whatever leaf a test wants, made by OpenSSL's command line. */
export class OpensslAuthority {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "mooring-openssl-"));
  readonly root: MadePair;
  readonly intermediate: MadePair;

  constructor() {
    this.#key("root", p256);
    const subject = ["-subj", "/O=Test Root/CN=root", "-days", "3000"];
    this.#openssl(["req", "-x509", "-key", "root.key", "-out", "root.pem", ...subject]);
    this.root = this.#pair("root");
    const ca = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"];
    this.intermediate = this.#signed("intermediate", "root", p256, {
      subject: "/O=Test CA/CN=intermediate",
      extensions: ca,
      digest: "sha256",
    });
  }

  leaf(options: LeafOptions = {}): MadePair {
    const names = (options.names ?? ["shop.acme.example"]).map((name) => `DNS:${name}`);
    return this.#signed("leaf", "intermediate", options.key ?? p256, {
      subject: "/CN=leaf",
      extensions: [
        `subjectAltName=${names.join(",")}`,
        "basicConstraints=critical,CA:FALSE",
        ...(options.extensions ?? []),
      ],
      digest: options.digest ?? "sha256",
    });
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #signed(
    name: string,
    issuer: string,
    key: readonly string[],
    made: {
      readonly subject: string;
      readonly extensions: readonly string[];
      readonly digest: string;
    },
  ): MadePair {
    this.#key(name, key);
    this.#openssl([
      "req",
      "-x509",
      "-key",
      `${name}.key`,
      "-out",
      `${name}.pem`,
      "-subj",
      made.subject,
      "-CA",
      `${issuer}.pem`,
      "-CAkey",
      `${issuer}.key`,
      "-days",
      "90",
      `-${made.digest}`,
      ...made.extensions.flatMap((extension) => ["-addext", extension]),
    ]);
    return this.#pair(name);
  }

  #key(name: string, algorithm: readonly string[]): void {
    this.#openssl(["genpkey", "-out", `${name}.key`, "-algorithm", ...algorithm]);
  }

  #pair(name: string): MadePair {
    const read = (end: string): string =>
      readFileSync(path.join(this.#folder, `${name}.${end}`), "utf8");
    return { certificate: read("pem"), key: read("key") };
  }

  #openssl(args: readonly string[]): void {
    execFileSync("openssl", [...args], { cwd: this.#folder, stdio: "pipe" });
  }
}
