import { BlockList, isIPv6 } from "node:net";
import { type Config, examineConfig, examineFiles } from "@mooring/control";
import type { Environment } from "../../../config.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/**
 * The configuration, and one finding for each problem. The other checks run with it: an invalid
 * variable has its default there.
 */
export function checkConfiguration(env: Environment): {
  readonly config: Config;
  readonly findings: readonly Finding[];
} {
  const check = "configuration";
  const { config, problems: wrong } = examineConfig(env);
  const problems = [...wrong, ...examineFiles(config)];
  if (problems.length === 0) return { config, findings: [ok(check, "every variable is valid")] };
  const findings = problems.map((problem) =>
    fail(check, problem, `correct ${parseVariable(problem)} in the environment`),
  );
  return { config, findings };
}

/** Problems are written `VARIABLE: what is wrong`. */
function parseVariable(problem: string): string {
  return problem.slice(0, Math.max(problem.indexOf(":"), 0));
}

type GuardConfig = Pick<Config, "webhookAllowPrivate" | "originAllowPrivate" | "egressAllow">;

/** Whether tenants can make this installation connect to private addresses. */
export function checkPrivateTargets(config: GuardConfig, isProduction: boolean): Finding {
  const check = "private_targets";
  const open = [
    ...(config.webhookAllowPrivate ? ["WEBHOOK_ALLOW_PRIVATE"] : []),
    ...(config.originAllowPrivate ? ["ORIGIN_ALLOW_PRIVATE"] : []),
  ];
  const networks = config.egressAllow.join(", ");
  const also = networks === "" ? "" : `, and EGRESS_ALLOW opens ${networks}`;
  const names = open.join(" and ");
  if (open.length > 0 && !isProduction) {
    return ok(check, `${names}, which is fine on a development machine${also}`);
  }
  if (open.length > 0) {
    return warn(
      check,
      `with ${names} tenants can reach what this network hides${also}`,
      `take ${names} out of the environment unless every tenant is your own; EGRESS_ALLOW opens single networks`,
    );
  }
  const services = isProduction ? findOpenServices(config.egressAllow) : [];
  if (services.length > 0) {
    return warn(
      check,
      `EGRESS_ALLOW opens ${networks} to tenants, with ${services.join(" and ")} in it`,
      "name the networks of your own origins and receivers only",
    );
  }
  const what = "webhooks and origins reach public addresses";
  return ok(check, networks === "" ? `${what} only` : `${what}${also}`);
}

/** What no tenant should reach; a private network of the installation may have all others. */
const services = [
  { what: "this machine", addresses: ["127.0.0.1", "::1"] },
  {
    what: "the metadata of the cloud",
    addresses: ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "fd20:ce::254"],
  },
] as const;

function findOpenServices(networks: readonly string[]): string[] {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    list.addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return services
    .filter(({ addresses }) =>
      addresses.some((address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4")),
    )
    .map(({ what }) => what);
}
