/** The Unicode form of a name whose labels are A-labels (RFC 5891), for reading; a bad label stays. */
export function toUnicode(hostname: string): string {
  return hostname.replaceAll(/(?<=^|\.)xn--([a-z0-9-]+)/gi, (label, coded: string) => {
    try {
      return decode(coded.toLowerCase());
    } catch {
      return label;
    }
  });
}

/** Punycode (RFC 3492 section 6.2); throws for what no encoder writes. */
function decode(coded: string): string {
  const end = coded.lastIndexOf("-");
  const output = end > 0 ? [...coded.slice(0, end)].map((char) => char.charCodeAt(0)) : [];
  let [n, i, bias, at] = [128, 0, 72, end > 0 ? end + 1 : 0];
  while (at < coded.length) {
    const start = i;
    for (let [weight, k] = [1, 36]; ; k += 36) {
      const digit = digitOf(coded.charCodeAt(at++));
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - start, length, start === 0);
    n += Math.floor(i / length);
    i %= length;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function digitOf(char: number): number {
  if (char > 47 && char < 58) return char - 22;
  if (char > 96 && char < 123) return char - 97;
  throw new RangeError("not a digit of Punycode");
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? 700 : 2));
  left += Math.floor(left / length);
  let k = 0;
  for (; left > 455; k += 36) left = Math.floor(left / 35);
  return k + Math.floor((36 * left) / (left + 38));
}
