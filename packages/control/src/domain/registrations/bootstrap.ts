/** Which servers answer for which top-level domains: the bootstrap file of IANA (RFC 9224). */
export interface Bootstrap {
  readonly publishedAt: Date;
  /** The base URL by the suffix, each with a slash at its end. */
  readonly servers: ReadonlyMap<string, string>;
  /** `host[:port]` of all servers; a redirect may lead to no other. */
  readonly hosts: ReadonlySet<string>;
}

/** What is wrong with a file, in a sentence. */
export class BootstrapError extends Error {
  override readonly name = "BootstrapError";
}

const maxServices = 20_000;

/**
 * Reads a bootstrap file. Throws a BootstrapError on anything that is not one: a file that is read
 * by half would silently leave registries out. Of several servers the first with TLS is taken
 * (RFC 9224 §3); a server without TLS only where there is no other.
 */
export function parseBootstrap(text: string): Bootstrap {
  const file = parseJson(text);
  if (!isRecord(file)) throw new BootstrapError("the file is not a JSON object");
  if (file["version"] !== "1.0") throw new BootstrapError("its `version` is not 1.0");
  const publishedAt = readPublication(file["publication"]);
  const { services } = file;
  if (!Array.isArray(services) || services.length === 0 || services.length > maxServices) {
    throw new BootstrapError("it has no `services`");
  }
  const servers = new Map<string, string>();
  for (const [index, service] of services.entries()) {
    const { suffixes, url } = readService(service, index);
    for (const suffix of suffixes) servers.set(suffix, url);
  }
  return { publishedAt, servers, hosts: new Set([...servers.values()].map(hostIn)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BootstrapError("the file is not JSON", { cause: error });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readPublication(value: unknown): Date {
  const isTime =
    typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value);
  const at = isTime ? new Date(value) : null;
  if (at === null || Number.isNaN(at.getTime())) {
    throw new BootstrapError("its `publication` is not a time");
  }
  return at;
}

const suffixForm = /^(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})*$/;

function readService(service: unknown, index: number) {
  const [names, urls] = Array.isArray(service) ? service : [];
  if (!isTexts(names) || !isTexts(urls) || urls.length === 0) {
    throw new BootstrapError(`service ${index} is not a list of names and a list of URLs`);
  }
  const suffixes = names.map((name) => name.toLowerCase());
  const wrong = suffixes.find((name) => !suffixForm.test(name));
  if (wrong !== undefined)
    throw new BootstrapError(`service ${index} names ${JSON.stringify(wrong)}`);
  const bases = urls.map((text) => readBase(text, index));
  const url = bases.find((base) => base.startsWith("https:")) ?? bases[0] ?? "";
  return { suffixes, url };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function readBase(text: string, index: number): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  const isPlain = url !== null && url.username === "" && url.search === "" && url.hash === "";
  if (!isHttp || !isPlain) {
    throw new BootstrapError(`service ${index} has the URL ${JSON.stringify(text)}`);
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

function hostIn(url: string): string {
  return new URL(url).host;
}

/** The base URL for a domain, by its longest suffix in the file; null without a server. */
export function findServer({ servers }: Bootstrap, domain: string): string | null {
  const labels = domain.split(".");
  for (let index = 0; index < labels.length; index += 1) {
    const found = servers.get(labels.slice(index).join("."));
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Where a redirect may lead: to a server of the file, and not from TLS to plain HTTP. Null when it
 * may not be followed.
 */
export function permittedRedirect(
  { hosts }: Bootstrap,
  from: URL,
  location: string | null,
): URL | null {
  if (location === null || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from);
  const isSafe = to.protocol === "https:" || (to.protocol === "http:" && from.protocol === "http:");
  const isPlain = to.username === "" && to.password === "";
  return isSafe && isPlain && hosts.has(to.host) ? to : null;
}
