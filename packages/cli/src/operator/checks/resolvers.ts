import { promises as dns, getServers } from "node:dns";
import { type Finding, fail, ok, warn } from "./finding.ts";

const name = "dns_resolvers";
const timeoutMs = 2_000;
/** Any zone a resolver of the public DNS knows of; that it has no answer is an answer too. */
const question = "com";
const answerCodes = ["ENODATA", "ENOTFOUND"];

/** Each configured resolver, or the system's, is asked one question. */
export async function checkResolvers(configured: readonly string[]): Promise<Finding> {
  const servers = configured.length > 0 ? configured : getServers();
  if (servers.length === 0) {
    return fail(
      name,
      "this system has no DNS resolver",
      "set DNS_RESOLVERS, as in 1.1.1.1,9.9.9.9",
    );
  }
  const replies = await Promise.all(servers.map(ask));
  const silent = servers.filter((_, index) => replies[index] === false);
  if (silent.length === 0) return ok(name, `${servers.join(", ")} answer`);
  const mend = "set DNS_RESOLVERS to resolvers that this machine may ask, or open UDP and TCP 53";
  const detail = `no answer from ${silent.join(", ")}`;
  return silent.length === servers.length ? fail(name, detail, mend) : warn(name, detail, mend);
}

async function ask(server: string): Promise<boolean> {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 1 });
  try {
    resolver.setServers([server]);
    await resolver.resolveNs(question);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && answerCodes.includes(String(error.code));
  }
}
