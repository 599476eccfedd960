import { spawnSync } from "node:child_process";

/** What a HAProxy is, by its own words (`haproxy -vv`). */
export interface Haproxy {
  /** Such as `2.6.12`. */
  readonly version: string;
  /** None: it cannot serve HTTP/3. Limited: with a TLS library that does not know QUIC. */
  readonly quic: "none" | "limited" | "full";
  /** As Debian's has; it does not start without. */
  readonly hasLua: boolean;
}

/** Where HAProxy is found; it gets nothing else of the environment, which may have secrets. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The HAProxy of this machine; null where there is none. */
export function findHaproxy(program = "haproxy"): Haproxy | null {
  const { status, stdout } = spawnSync(program, ["-vv"], {
    env: { PATH: searchPath },
    encoding: "utf8",
  });
  return status === 0 ? parseHaproxy(stdout) : null;
}

/** Earlier ones served HTTP/3 as an experiment. */
const firstVersion = 3;

/** Others do not read the settings that HTTP/3 needs. */
const hasOpenssl = /^Running on OpenSSL version : OpenSSL 3/m;

export function parseHaproxy(text: string): Haproxy | null {
  const version = /version (\d+\.\d+\.\d+)/.exec(text)?.[1];
  if (version === undefined) return null;
  const features = new Set(/^Feature list : (.*)$/m.exec(text)?.[1]?.split(" "));
  const has = (feature: string): boolean => features.has(`+${feature}`);
  const isTried = Number.parseInt(version, 10) >= firstVersion && hasOpenssl.test(text);
  const hasLua = has("LUA");
  if (!has("QUIC") || !isTried) return { version, quic: "none", hasLua };
  return { version, quic: has("QUIC_OPENSSL_COMPAT") ? "limited" : "full", hasLua };
}
