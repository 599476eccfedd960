import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { getCACertificates } from "node:tls";
import { defaultLimits, limitsFrom } from "../../config/limits.ts";
import { errorTemplate } from "../../proxy/response/error-page.ts";
import { haproxyConfiguration, pageStatuses } from "../configuration/configuration.ts";
import { framingFields } from "../configuration/slots.ts";
import { referenceVariable } from "../configuration/web.ts";
import { findHaproxyUser, type HaproxyUser } from "../haproxy-user.ts";
import { type Http3, http3Library } from "../http3.ts";
import type { AcceleratorPaths } from "../paths.ts";
import { responseFieldsScript } from "../response-fields.ts";
import { firstDescriptor } from "./haproxy-process.ts";
import type { AcceleratorOptions, AcceleratorSettings } from "./options.ts";

export interface FileParts {
  readonly paths: AcceleratorPaths;
  /** Sockets of the public port. */
  readonly sockets: number;
  readonly http3: Http3 | null;
}

/**
 * What HAProxy reads when it starts. A file that has its text already is not written: nothing is
 * needed of a full disk, and a HAProxy that starts meanwhile reads a whole file.
 */
export function writeFiles(options: AcceleratorOptions, parts: FileParts): void {
  const { paths } = parts;
  const user = findHaproxyUser();
  openDirectory(paths.directory, user);
  for (const [file, text] of textsOf(options, parts, user)) {
    if (readText(file) !== text) writeWhole(file, text);
  }
}

function writeWhole(file: string, text: string): void {
  const made = `${file}.${process.pid}`;
  try {
    writeFileSync(made, text, { mode: 0o600 });
    renameSync(made, file);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

function openDirectory(directory: string, user: HaproxyUser | null): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user !== null) chownSync(directory, 0, user.gid);
  chmodSync(directory, user === null ? 0o700 : 0o710);
}

function textsOf(
  options: AcceleratorOptions,
  { paths, sockets, http3 }: FileParts,
  user: HaproxyUser | null,
): readonly (readonly [file: string, text: string])[] {
  const { settings, workers } = options;
  const configuration = haproxyConfiguration({
    paths,
    workers,
    limits: { ...defaultLimits, ...limitsFrom(settings), ...options.limits },
    user,
    names: settings.EDGE_ACCELERATOR_NAMES,
    loopId: settings.EDGE_CNAME,
    http3,
    descriptors: Array.from({ length: sockets }, (_, at) => firstDescriptor + at),
  });
  // HAProxy starts with nothing: names are promoted by the runtime API, in memory.
  const { names, claims, slots, assertions, lease, certificates } = paths;
  return [
    [paths.configuration, configuration],
    [paths.trusted, options.trusted ?? getCACertificates("default").join("\n")],
    [paths.library, http3 === null ? "" : http3Library],
    [paths.responseFields, responseFieldsScript(framingFields)],
    [paths.exempt, `${exemptNetworks(settings).join("\n")}\n`],
    [paths.proxied, `${proxiedNetworks(settings).join("\n")}\n`],
    [paths.healthChecks, `${settings.EDGE_HEALTH_CHECKS_FROM.join("\n")}\n`],
    ...[names, claims, slots, assertions, lease, certificates].map((file) => [file, ""] as const),
    ...pageStatuses.map((status) => {
      const shown = status === 503 ? 502 : status;
      return [paths.page(status), errorTemplate(shown, `%[${referenceVariable}]`)] as const;
    }),
  ];
}

/** Peers that name other visitors, or are not limited: the Node edge knows what they may. */
function exemptNetworks(settings: AcceleratorSettings): readonly string[] {
  return [
    ...settings.EDGE_TRUSTED_PROXIES,
    ...settings.EDGE_HEALTH_CHECKS_FROM,
    ...Object.values(settings.EDGE_CDN_RANGES).flat(),
  ];
}

function proxiedNetworks(settings: AcceleratorSettings): readonly string[] {
  const { EDGE_PROXY_PROTOCOL: isOn, EDGE_PROXY_PROTOCOL_FROM: from } = settings;
  if (!isOn) return [];
  return from.length === 0 ? ["0.0.0.0/0", "::/0"] : from;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
