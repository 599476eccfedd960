import "../../../edge/src/x509/reflect-metadata.ts";
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from "@peculiar/x509";

export interface CertificateRequest {
  readonly subject: string;
  readonly hostnames: readonly string[];
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
}

/** Reads a request as a CA does; throws when it is not signed by its own key. */
export async function readCsr(der: Uint8Array): Promise<CertificateRequest> {
  const request = new Pkcs10CertificateRequest(new Uint8Array(der));
  if (!(await request.verify())) throw new Error("the request's signature is wrong");
  const names = [...request.extensions]
    .filter((each) => each instanceof SubjectAlternativeNameExtension)
    .flatMap((each) => each.names.items);
  return {
    subject: request.subject,
    hostnames: names.filter(({ type }) => type === "dns").map(({ value }) => value),
    publicKey: Buffer.from(request.publicKey.rawData),
  };
}
