/** Search parameters as people write them: `?state=live&state=drifted&q=acme`, never JSON. */
export type SearchRecord = Readonly<Record<string, unknown>>;

export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  const found: Record<string, string | string[]> = {};
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    found[name] = values.length > 1 ? values : (values[0] ?? "");
  }
  return found;
}

export function stringifySearch(search: SearchRecord): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (one !== undefined && one !== null && one !== "") params.append(name, String(one));
    }
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** The text of a parameter; of several the first. Absent and empty are the same. */
export function readText(search: SearchRecord, name: string): string | undefined {
  return readTexts(search, name)[0];
}

export function readTexts(search: SearchRecord, name: string): string[] {
  const value = search[name];
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === "string" && one !== "");
}

export function readChoice<T extends string>(
  search: SearchRecord,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = readText(search, name);
  return choices.find((choice) => choice === text);
}

/** Without the entries that are undefined, as exact optional properties want it. */
export function compact<T extends object>(entries: { readonly [K in keyof T]: T[K] | undefined }) {
  return Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
