import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Programs of Debian 13 that run beside those of this machine, with its files and its network. */
export interface Debian13 {
  readonly haproxy: string;
  readonly curl: string;
  readonly openssl: string;
  /** With aioquic. */
  readonly python: string;
}

// debootstrap does not resolve what aioquic needs under another name.
const packages = ["haproxy", "curl", "openssl", "python3-aioquic", "python3-cffi-backend"];
const directory = path.join(tmpdir(), "mooring-debian-13");
/** Changes with what is in it. */
const root = path.join(directory, "root-2");
const lock = path.join(directory, "lock");
const debootstrap = "/usr/sbin/debootstrap";

/** Makes the root once for this machine, in about two minutes; or says why it cannot. */
export function findDebian13(): Debian13 | { readonly missing: string } {
  const missing = whatIsMissing();
  if (missing !== null) return { missing };
  if (!existsSync(root)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Another test file may be at it.
    const main = path.join(import.meta.dirname, "debian-13-main.ts");
    try {
      run("flock", [lock, process.execPath, main]);
    } catch (error) {
      return { missing: String(error) };
    }
  }
  const program = (name: string): string => path.join(root, "run", name);
  return {
    haproxy: program("haproxy"),
    curl: program("curl"),
    openssl: program("openssl"),
    python: program("python3"),
  };
}

function whatIsMissing(): string | null {
  if (existsSync(root)) return null;
  if (!existsSync(debootstrap)) return "debootstrap is not installed";
  if (process.getuid?.() !== 0) return "debootstrap needs root";
  return findMirror() === null ? "apt has no mirror of Debian" : null;
}

/** Where this machine has its own packages from. */
function findMirror(): string | null {
  const targets = run("apt-get", ["indextargets", "--format", "$(REPO_URI)"]);
  return targets.split("\n").find((uri) => /\/debian\/?$/.test(uri)) ?? null;
}

/** Packages are unpacked and not configured: nothing of them runs while the root is made. */
export function makeDebian13(): void {
  if (existsSync(root)) return;
  const made = `${root}.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  const options = ["--foreign", "--variant=minbase", `--include=${packages.join(",")}`];
  run(debootstrap, [...options, "trixie", made, findMirror() ?? ""]);
  const archives = path.join(made, "var/cache/apt/archives");
  for (const name of readdirSync(archives)) {
    if (name.endsWith(".deb")) run("dpkg-deb", ["-x", path.join(archives, name), made]);
  }
  rmSync(archives, { recursive: true });
  mkdirSync(path.join(made, "run"), { recursive: true });
  for (const name of ["sbin/haproxy", "bin/curl", "bin/openssl", "bin/python3"]) {
    const started = path.join(made, "run", path.basename(name));
    writeFileSync(started, startScript(made, name), { mode: 0o755 });
  }
  renameSync(made, root);
}

/** By the loader and the libraries of that root: no other root directory is needed. */
function startScript(made: string, name: string): string {
  const machine = readdirSync(path.join(made, "usr/lib")).find((one) => /-linux-gnu/.test(one));
  const libraries = path.join(root, "usr/lib", machine ?? "");
  const loader = readdirSync(path.join(made, "usr/lib", machine ?? "")).find((one) =>
    /^ld-linux/.test(one),
  );
  return [
    "#!/bin/sh",
    ...(name.includes("python") ? [`export PYTHONHOME=${path.join(root, "usr")}`] : []),
    `exec ${path.join(libraries, loader ?? "")} --library-path ${libraries} ${path.join(root, "usr", name)} "$@"`,
    "",
  ].join("\n");
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${`${stdout}${stderr}`.slice(-500)}`);
  return stdout;
}
