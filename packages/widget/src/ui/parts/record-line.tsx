import type { DnsRecord } from "@mooring/sdk";

/** A record in one line, for lists that are read and not copied. */
export function RecordLine({ record }: { readonly record: DnsRecord }) {
  const { type, host, value, priority } = record;
  return (
    <span class="record-line" dir="ltr">
      <span class="type">{type}</span>
      <code>{host}</code>
      <code class="muted">{priority === null ? value : `${priority} ${value}`}</code>
    </span>
  );
}

/** Initials stand for a provider's logo. */
export function Tile({ name }: { readonly name: string }) {
  const words = name
    .replaceAll(/[^\p{L}\p{N} ]/gu, " ")
    .split(" ")
    .filter(Boolean);
  const initials = words.length > 1 ? words.map((word) => word[0]).join("") : (words[0] ?? "?");
  return (
    <span class="tile" aria-hidden="true">
      {initials.slice(0, 2).toUpperCase()}
    </span>
  );
}
