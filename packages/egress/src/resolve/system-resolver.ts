import { type CachedResolver, createCachedResolver } from "./cached-resolver.ts";
import { parseHostsFile } from "./hosts-file.ts";
import { createNameServers, type NameAnswer } from "./name-servers.ts";
import { namesToAsk, noSearchList, parseSearchList, plainName } from "./search-list.ts";
import { watchFile } from "./watched-file.ts";

export interface SystemResolverOptions {
  /** `ip[:port]` of the recursive resolvers; none for those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  /** Names of one owner that are asked for at the same time. */
  readonly perOwner?: number;
}

/** RFC 6761 §6.3: these never leave the machine. */
const loopback = ["127.0.0.1", "::1"];

/**
 * Resolves as the system does, without its threads: the hosts file, then the name servers and the
 * search list of resolv.conf, with a cache. Both files are read again when they change.
 */
export function createSystemResolver(options: SystemResolverOptions = {}): CachedResolver {
  const { servers = [], hostsFile = "/etc/hosts", resolvConf = "/etc/resolv.conf" } = options;
  const hosts = watchFile(hostsFile, parseHostsFile);
  const configuration = watchFile(resolvConf, (text) => ({
    search: parseSearchList(text),
    // c-ares reads the system's servers when it is created.
    nameServers: createNameServers(servers),
  }));
  const withoutFile = createNameServers(servers);

  async function ask(hostname: string): Promise<NameAnswer> {
    const { search = noSearchList, nameServers = withoutFile } =
      (await configuration.current()) ?? {};
    for (const name of namesToAsk(hostname, search)) {
      const answer = await nameServers(name);
      if (answer.kind === "found") return answer;
    }
    return { kind: "absent" };
  }

  const { perOwner } = options;
  const cached = createCachedResolver({ ask, ...(perOwner === undefined ? {} : { perOwner }) });
  return async (hostname, owner) => {
    const name = plainName(hostname);
    const local = (await hosts.current())?.get(name);
    if (local !== undefined) return local;
    const isLoopback = name === "localhost" || name.endsWith(".localhost");
    return isLoopback ? loopback : cached(hostname, owner);
  };
}

const shared = new Map<string, CachedResolver>();

/** The resolver of a process for these servers, so that all guards share one cache. */
export function sharedResolver(servers: readonly string[]): CachedResolver {
  const key = servers.join(",");
  const known = shared.get(key);
  if (known !== undefined) return known;
  const resolver = createSystemResolver({ servers });
  shared.set(key, resolver);
  return resolver;
}
