import { readFileSync } from "node:fs";
import type { Config } from "@mooring/control";
import { findHaproxy, type Haproxy, staysRoot } from "@mooring/edge";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** What `EDGE_ACCELERATOR` needs of the machine; nothing where it is off. */
export function checkAccelerator(config: Config): Finding[] {
  if (config.edgeAccelerator === "none") return [];
  return judgeAccelerator({
    haproxy: findHaproxy(),
    isHttp3On: config.edgeAcceleratorHttp3 !== 0,
    isProxied: config.edgeProxyProtocol,
    descriptors: readDescriptorLimit(),
    staysRoot: staysRoot(),
  });
}

/** Those of Debian 12 and 13. */
const triedVersions = ["2.6", "3.0"];
/** Two for each connection of a visitor, and two for those of its origin and of the door. */
const enoughDescriptors = 65_536;

export function judgeAccelerator(machine: {
  readonly haproxy: Haproxy | null;
  readonly isHttp3On: boolean;
  /** Whether connections begin with a PROXY protocol header. */
  readonly isProxied: boolean;
  /** How many files a process may open; null where that is not known. */
  readonly descriptors: number | null;
  readonly staysRoot: boolean;
}): Finding[] {
  const check = "accelerator";
  const { haproxy, isHttp3On, isProxied, descriptors } = machine;
  if (haproxy === null) {
    return [
      fail(check, "HAProxy is not installed", "apt install haproxy, or EDGE_ACCELERATOR=none"),
    ];
  }
  const { version, quic, hasLua } = haproxy;
  if (!hasLua) {
    return [
      fail(check, "HAProxy was built without Lua", "use that of Debian (apt install haproxy)"),
    ];
  }
  const findings = triedVersions.some((tried) => version.startsWith(`${tried}.`))
    ? [ok(check, `HAProxy ${version}`)]
    : [
        warn(
          check,
          `HAProxy ${version} has not been tried`,
          `use that of Debian 12 or 13 (${triedVersions.join(", ")})`,
        ),
      ];
  if (isHttp3On && quic === "none") {
    findings.push(
      warn(
        "accelerator_http3",
        `HAProxy ${version} cannot serve HTTP/3`,
        "use that of Debian 13 (3.0), or EDGE_ACCELERATOR_HTTP3=false",
      ),
    );
  }
  if (isHttp3On && isProxied) {
    findings.push(
      warn(
        "accelerator_http3",
        "HTTP/3 is not served: QUIC has no PROXY protocol",
        "set EDGE_ACCELERATOR_HTTP3=false",
      ),
    );
  }
  if (descriptors !== null && descriptors < enoughDescriptors) {
    findings.push(
      warn(
        "accelerator_files",
        `a process may open ${descriptors} files, so HAProxy takes about ${Math.floor(descriptors / 4)} connections`,
        `raise the hard limit to ${enoughDescriptors} (LimitNOFILE= of the unit, or ulimit -Hn)`,
      ),
    );
  }
  if (machine.staysRoot) {
    findings.push(
      warn(
        "accelerator_user",
        "HAProxy runs as root: there is no user `haproxy`",
        "add it (Debian's package does), or run the edge as a user of its own",
      ),
    );
  }
  return findings;
}

function readDescriptorLimit(): number | null {
  if (process.platform !== "linux") return null;
  const limits = readFileSync("/proc/self/limits", "utf8");
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1];
  return hard === undefined ? null : Number(hard);
}
