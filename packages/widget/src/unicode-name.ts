/**
 * The Unicode form of a name whose labels are A-labels (RFC 5891), for reading. A bad label stays,
 * and so does one that may be read as another name.
 */
export function toUnicode(hostname: string): string {
  return hostname.replaceAll(/(?<=^|\.)xn--([a-z0-9-]+)/gi, (label, coded: string) => {
    try {
      const decoded = decode(coded.toLowerCase());
      return isConfusable(decoded) ? label : decoded;
    } catch {
      return label;
    }
  });
}

const similarAlphabets = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u];
/** Letters of other alphabets that pass for a Latin letter in common fonts. */
const latinLookalikes = /^[аеіјорсухѕԁһӏԛԝгпѵѡҽбьαινορτυωκχη0-9-]+$/u;

/** Whether letters of similar alphabets are mixed, or all of them pass for Latin ones. */
function isConfusable(label: string): boolean {
  const used = similarAlphabets.filter((alphabet) => alphabet.test(label));
  return used.length > 1 || latinLookalikes.test(label);
}

/** Punycode (RFC 3492 section 6.2); throws for what no encoder writes. */
function decode(coded: string): string {
  const end = coded.lastIndexOf("-");
  const output = end > 0 ? [...coded.slice(0, end)].map((char) => char.charCodeAt(0)) : [];
  let [n, i, bias, at] = [128, 0, 72, end > 0 ? end + 1 : 0];
  while (at < coded.length) {
    const start = i;
    for (let [weight, k] = [1, 36]; ; k += 36) {
      const digit = parseDigit(coded.charCodeAt(at++));
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

function parseDigit(char: number): number {
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
