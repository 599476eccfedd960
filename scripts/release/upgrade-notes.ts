/**
 * The parts of docs/upgrading.md for those who upgrade to this version: a candidate has the part of
 * the version that it is a candidate of. Links lead to the documents of the same version.
 */
export function upgradeNotes(document: string, version: string, source: string): string {
  const target = version.replace(/-rc\.\d+$/, "");
  const parts = document.split(/^(?=## )/m).slice(1);
  const part = parts.find((one) => one.split("\n")[0]?.endsWith(` to ${target}`));
  const text = part ?? "Nothing beside the usual steps: see [Operations](operations.md#upgrade).";
  return text.trim().replaceAll(/\]\(([\w-]+\.md)/g, `](${source}/blob/v${version}/docs/$1`);
}
