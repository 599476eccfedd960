import { type DelegationSigner, readSigner } from "./keys.ts";

/**
 * The root's key-signing keys of 2017 and 2024, as IANA publishes them
 * (data.iana.org/root-anchors).
 */
export const rootAnchors: readonly string[] = [
  "20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
  "38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16",
];

/** Reads anchors in the form of DS data: key tag, algorithm, digest type, digest in hex. */
export function readAnchors(anchors: readonly string[]): readonly DelegationSigner[] {
  return anchors.flatMap((text) => {
    const [, tag, algorithm, digestType, hex = ""] =
      /^(\d+) (\d+) (\d+) ((?:[0-9a-fA-F]{2})+)$/.exec(text) ?? [];
    if (tag === undefined) {
      throw new RangeError("A trust anchor is key tag, algorithm, digest type and digest in hex");
    }
    const head = Buffer.alloc(4);
    head.writeUInt16BE(Number(tag), 0);
    head.writeUInt8(Number(algorithm), 2);
    head.writeUInt8(Number(digestType), 3);
    return readSigner(Buffer.concat([head, Buffer.from(hex, "hex")]));
  });
}
