import type { Application, CreateApplication } from "@mooring/sdk";
import type { Command } from "commander";
import { isTextList, readInput, textOrNull } from "../input.ts";

type OriginSettings = Pick<CreateApplication, "origins" | "origin_tls">;
type Tls = NonNullable<CreateApplication["origin_tls"]>;

export function withOriginOptions(command: Command): Command {
  return command
    .option("--origin <url...>", "several origins, each with its share: https://a.example=3")
    .option("--origin-ca <file>", "PEM of the CAs that origins are verified by; none removes it")
    .option("--origin-client-cert <file>", "PEM of a certificate for the origins; none removes it")
    .option("--origin-client-key <file>", "PEM of its private key; - is stdin")
    .option("--origin-server-name <name>", "SNI for the origins; none removes it")
    .option("--origin-verify-name <name>", "the name in their certificates; none removes it");
}

export async function originSettingsIn(
  options: Readonly<Record<string, unknown>>,
): Promise<OriginSettings> {
  const origins = options["origin"];
  const tls = await originTlsIn(options);
  return {
    ...(isTextList(origins) ? { origins: origins.map(weighted) } : {}),
    ...(Object.keys(tls).length === 0 ? {} : { origin_tls: tls }),
  };
}

function weighted(text: string): { readonly url: string; readonly weight: number } {
  const [, url = text, weight] = /^(.*)=(\d+)$/.exec(text) ?? [];
  return { url, weight: weight === undefined ? 1 : Number(weight) };
}

async function originTlsIn(options: Readonly<Record<string, unknown>>): Promise<Tls> {
  const ca = await contentIn(options["originCa"]);
  const certificate = await contentIn(options["originClientCert"]);
  const key = await contentIn(options["originClientKey"]);
  const serverName = textIn(options["originServerName"]);
  const verifyName = textIn(options["originVerifyName"]);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { client_certificate: certificate }),
    ...(key === undefined ? {} : { client_key: key }),
    ...(serverName === undefined ? {} : { server_name: serverName }),
    ...(verifyName === undefined ? {} : { verify_name: verifyName }),
  };
}

/** Null for `none`, undefined when it is not given. */
function textIn(option: unknown): string | null | undefined {
  const text = textOrNull(option) ?? undefined;
  return text === "none" ? null : text;
}

async function contentIn(option: unknown): Promise<string | null | undefined> {
  const file = textIn(option);
  return typeof file === "string" ? await readInput(file) : file;
}

/** What `apps show` says about the origins. */
export function originRows(application: Application): readonly [string, string | null][] {
  const { origins, origin_tls: tls } = application;
  const shares = origins.map(({ url, weight }) => `${url} (${weight})`).join(", ");
  const certificate = tls.client_certificate;
  return [
    ["Origins", origins.length > 1 ? shares : null],
    ["Origin CA", tls.ca?.map(({ fingerprint }) => fingerprint).join(", ") ?? null],
    [
      "Certificate for origins",
      certificate === null ? null : `${certificate.fingerprint} until ${certificate.not_after}`,
    ],
    ["Server name", tls.server_name],
    ["Verified name", tls.verify_name],
  ];
}
