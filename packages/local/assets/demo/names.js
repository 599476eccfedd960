/** New names for every visit: a sandbox zone belongs to the tenant that first wrote it. */
const nouns = [
  "amber",
  "birch",
  "cedar",
  "delta",
  "ember",
  "fjord",
  "grove",
  "heron",
  "island",
  "juniper",
];

function randomZone() {
  const [first, ...rest] = crypto.getRandomValues(new Uint8Array(4));
  const hex = rest.map((byte) => byte % 16).map((digit) => digit.toString(16));
  return `${nouns[first % nouns.length]}-${hex.join("")}${Date.now().toString(36).slice(-4)}.test`;
}

export function newNames() {
  return {
    automatic: `shop.${randomZone()}`,
    manual: `www.${randomZone()}`,
    trouble: randomZone(),
  };
}

/** The zone that a hostname under `.test` is in. */
export function zoneOf(hostname) {
  return hostname.split(".").slice(-2).join(".");
}
