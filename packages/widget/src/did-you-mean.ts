import { readDomain } from "./domain-name.ts";

/** Endings that people mistype; an ending that exists is a question only. */
const endings: Readonly<Record<string, string>> = {
  con: "com",
  cmo: "com",
  ocm: "com",
  comm: "com",
  coom: "com",
  vom: "com",
  xom: "com",
  cpm: "com",
  cim: "com",
  cm: "com",
  om: "com",
  comn: "com",
  conm: "com",
  ccom: "com",
  copm: "com",
  cpom: "com",
  c0m: "com",
  clm: "com",
  dom: "com",
  fom: "com",
  nte: "net",
  ent: "net",
  met: "net",
  ner: "net",
  nett: "net",
  neet: "net",
  nrt: "net",
  orgg: "org",
  ogr: "org",
  rog: "org",
  ort: "org",
  orh: "org",
  orgn: "org",
  oeg: "org",
  irg: "org",
  dee: "de",
};

const common = "com|net|org|shop|store|info|biz|de|fr|es|it|nl|ch|at|eu|uk|io";

/** The domain that was probably meant; null when the text is fine, or nothing like a domain. */
export function didYouMean(text: string): string | null {
  const typed = text.trim().toLowerCase();
  const fixed = fixEnding(fixDots(fixScheme(typed)));
  if (fixed === typed) return null;
  const [read, before] = [readDomain(fixed), readDomain(typed)];
  if (read.outcome !== "ok") return null;
  return before.outcome === "ok" && before.hostname === read.hostname ? null : fixed;
}

/** A mistyped beginning of a URL, and the name of a mailbox. */
function fixScheme(text: string): string {
  return text
    .replace(/^h?t{1,3}p?s?[:;.]*\/+/, "")
    .replace(/^(?:mailto:)?[^@\s]*@(?=[^@]+$)/, "")
    .replace(/[/?#].*$/s, "");
}

function fixDots(text: string): string {
  return text
    .replace(/[,;:、。．·]+/g, ".")
    .replace(/\s*\.+\s*/g, ".")
    .replace(new RegExp(`\\s+(?=(?:${common})$)`), ".")
    .replace(/\s+/g, "")
    .replace(/^\.+|\.+$/g, "")
    .replace(/^ww+w?[.,]?(?=[^.]+\.)/, (start) => (/^w{2,4}\.$/.test(start) ? "www." : start))
    .replace(/^www(?=[^.]{3,}\.)/, "www.")
    .replace(/^([^.]{3,})(com|net|org)$/, "$1.$2");
}

function fixEnding(text: string): string {
  return text
    .replace(/\.co\.?(?:uk|ku|ukk)$/, ".co.uk")
    .replace(/\.(?:con|cmo|ocm|comm)(?=\.[a-z]{2}$)/, ".com")
    .replace(/\.([^.]+)$/, (whole, ending: string) => {
      const meant = endings[ending];
      return meant === undefined ? whole : `.${meant}`;
    });
}
