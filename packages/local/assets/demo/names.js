/** Names for this visit alone: a sandbox zone belongs to whoever wrote it first. */
const words = [
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
  return `${words[first % words.length]}-${hex.join("")}${Date.now().toString(36).slice(-4)}.test`;
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
