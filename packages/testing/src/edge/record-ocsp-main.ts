import { writeFile } from "node:fs/promises";
import { encodeOcspRequest } from "../../../edge/src/tls/ocsp/request.ts";
import { type OcspSubject, readOcspDemand } from "../../../edge/src/tls/ocsp/subject.ts";
import { createOcspAuthority, type OcspAuthority } from "./ocsp-authority.ts";

/** `record-ocsp-main.ts FILE`: answers of `openssl ocsp` for tests that run without openssl. */
const [file = ""] = process.argv.slice(2);
const responder = "authorityInfoAccess=OCSP;URI:http://ocsp.example/";
const week = ["-ndays", "7"];
const byKey = [...week, "-resp_key_id"];

const authority = await createOcspAuthority("Test CA");
// Of the same name: only its key tells it from the other.
const other = await createOcspAuthority("Test CA");
const chains: Record<string, string> = {};

async function issue(from: OcspAuthority, name: string, serial: number): Promise<OcspSubject> {
  const { cert } = await from.issue(name, serial, [responder]);
  chains[name] = cert + from.cert;
  const { subject } = readOcspDemand(cert + from.cert);
  if (subject === null) throw new Error("the certificate names no responder");
  return subject;
}

const good = await issue(authority, "good", 4097);
const revoked = await issue(authority, "revoked", 4098);
const unknown = await issue(authority, "unknown", 4099);
const zero = await issue(authority, "zero", 200);
const same = await issue(other, "same", 4097);
await authority.setStatus({ 4097: "V", 4098: "R", 200: "V" });
await other.setStatus({ 4097: "V" });
await authority.issue("delegate", 10, ["extendedKeyUsage=OCSPSigning"]);
await authority.issue("stranger", 11, ["extendedKeyUsage=serverAuth"]);
await authority.adopt(
  "elsewhere",
  await other.issue("elsewhere", 12, ["extendedKeyUsage=OCSPSigning"]),
);

const respond = async (
  subject: OcspSubject,
  options: readonly string[],
  signer = "ca",
  from = authority,
): Promise<string> =>
  (await from.respond(encodeOcspRequest(subject), options, signer)).toString("base64");

const recorded = {
  recordedAt: new Date().toISOString(),
  chains,
  responses: {
    byIssuer: await respond(good, week),
    byIssuerKey: await respond(good, byKey),
    byDelegate: await respond(good, week, "delegate"),
    byDelegateKey: await respond(good, byKey, "delegate"),
    zero: await respond(zero, week),
    revoked: await respond(revoked, week),
    unknown: await respond(unknown, week),
    otherAuthority: await respond(same, week, "ca", other),
    byStranger: await respond(good, week, "stranger"),
    byOtherDelegate: await respond(good, week, "elsewhere"),
    withoutDelegate: await respond(good, [...week, "-resp_no_certs"], "delegate"),
    withoutIssuer: await respond(good, [...week, "-resp_no_certs"]),
    sha1: await respond(good, [...week, "-rmd", "sha1"]),
    endless: await respond(good, []),
    longByDelegate: await respond(good, ["-ndays", "40"], "delegate"),
  },
};
await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`);
await authority.remove();
await other.remove();
