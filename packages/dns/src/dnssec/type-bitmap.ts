/**
 * RFC 4034 §4.1.2: the types that exist at a name, as windows of bits; null where it is malformed.
 */
export function readTypes(data: Buffer): ReadonlySet<number> | null {
  const types = new Set<number>();
  for (let at = 0; at < data.length; ) {
    const [window, length] = [data[at], data[at + 1]];
    if (window === undefined || length === undefined || length < 1 || length > 32) return null;
    const bits = data.subarray(at + 2, at + 2 + length);
    if (bits.length < length) return null;
    for (const [index, octet] of bits.entries()) {
      for (let bit = 0; bit < 8; bit += 1) {
        if ((octet & (0x80 >> bit)) !== 0) types.add(window * 256 + index * 8 + bit);
      }
    }
    at += 2 + length;
  }
  return types;
}
