/** RFC 1035 §2.3.4. */
const LONGEST_LABEL = 63;

/**
 * The first label of the MX host that Exchange Online had for a domain until 2026; newer domains
 * have hosts that cannot be derived. Dots become dashes; where dashes stood in the name is kept as
 * a map of bits, four positions a letter, behind a `0`. For recognising and proposing only: the rule
 * was read off published zones. Null when there can be no such label.
 */
export function microsoftToken(domain: string): string | null {
  const name = domain.toLowerCase();
  const base = name.replaceAll("-", "").replaceAll(".", "-");
  const token = name.includes("-") ? `${base}0${dashMap(name)}` : base;
  return token.length <= LONGEST_LABEL ? token : null;
}

function dashMap(name: string): string {
  const groups: number[] = [];
  for (const [at, letter] of [...name].entries()) {
    const group = Math.floor(at / 4);
    groups[group] = (groups[group] ?? 0) + (letter === "-" ? 2 ** (at % 4) : 0);
  }
  let text = "";
  let skipped = 0;
  for (const bits of groups) {
    if (bits === 0) skipped += 1;
    else {
      text += `${skipped === 0 ? "" : skipped}${String.fromCharCode("a".charCodeAt(0) + bits)}`;
      skipped = 0;
    }
  }
  return text;
}

export function derivedMicrosoftMx(domain: string): string | null {
  const token = microsoftToken(domain);
  return token === null ? null : `${token}.mail.protection.outlook.com`;
}
