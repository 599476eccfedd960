import type { ConnectionDetail } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { usageFailure } from "../explain.ts";
import { readInput, textOrNull } from "../input.ts";
import { connectionId } from "../references.ts";
import { formatFields, formatTime, orDash, painted } from "../text/table.ts";

/** `certificate set`, `clear` and `retry`. */
export function addCertificate(connections: Command, action: RegisterAction): void {
  const certificate = connections
    .command("certificate")
    .description("an own certificate instead of automatic ones, or another attempt");
  addSet(certificate, action);
  addClear(certificate, action);
  addRetry(certificate, action);
}

function addSet(certificate: Command, action: RegisterAction): void {
  const set = certificate
    .command("set")
    .argument("<connection>", "id or hostname")
    .description("serve an own certificate, from files in PEM")
    .requiredOption("--certificate <file>", "the certificate and its chain, leaf first")
    .requiredOption("--key <file>", "its private key, without a passphrase; - for stdin");
  examples(
    set,
    "mooring connections certificate set shop.acme.com --certificate fullchain.pem --key key.pem",
    "pass show shop.acme.com/key | mooring connections certificate set shop.acme.com --certificate fullchain.pem --key -",
  );
  apiCommand(action, set, async ({ client, output, args, options }) => {
    const [chainFile, keyFile] = [textOrNull(options["certificate"]), textOrNull(options["key"])];
    if (chainFile === null || keyFile === null) throw usageFailure("name both files");
    const body = { certificate: await readInput(chainFile), private_key: await readInput(keyFile) };
    const id = await connectionId(client, args[0]);
    const connection = await client.connections.setCertificate(id, body);
    output.result(certificateText(connection), connection);
    return undefined;
  });
}

function addClear(certificate: Command, action: RegisterAction): void {
  const clear = certificate
    .command("clear")
    .argument("<connection>", "id or hostname")
    .description("go back to automatic certificates, without a gap");
  examples(clear, "mooring connections certificate clear shop.acme.com");
  apiCommand(action, clear, async ({ client, output, args }) => {
    const id = await connectionId(client, args[0]);
    const connection = await client.connections.clearCertificate(id);
    output.result(certificateText(connection), connection);
    return undefined;
  });
}

function addRetry(certificate: Command, action: RegisterAction): void {
  const retry = certificate
    .command("retry")
    .argument("<connection>", "id or hostname")
    .description("order a certificate that failed or waits again now");
  examples(retry, "mooring connections certificate retry shop.acme.com");
  apiCommand(action, retry, async ({ client, output, args }) => {
    const id = await connectionId(client, args[0]);
    const connection = await client.connections.retryCertificate(id);
    output.result(certificateText(connection), connection);
    return undefined;
  });
}

function certificateText({ hostname, certificate }: ConnectionDetail): string {
  const { status, source, ca, not_after: notAfter, fingerprint } = certificate;
  return formatFields([
    ["Hostname", hostname],
    ["Certificate", painted(status)],
    ["Source", orDash(source)],
    ["Issuer", orDash(ca)],
    ["Valid until", formatTime(notAfter)],
    ["SHA-256", orDash(fingerprint)],
  ]);
}
