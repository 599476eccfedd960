import { toUnicode } from "@mooring/dns/lookup";

/** The parameters with their names in Unicode: they are read here, and copied from the records. */
export function shownNames(
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = ["domain", "zone", "name"].flatMap((key) => {
    const name = params[key];
    return name === undefined ? [] : [[key, toUnicode(name)]];
  });
  return { ...params, ...Object.fromEntries(names) };
}
