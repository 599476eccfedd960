import type { HeaderRule } from "../../hosts/application-edge.ts";
import type { Fields } from "../../http/fields.ts";

/** Applies the rules in their order; the API has refused fields that frame a message. */
export function applyHeaderRules(fields: Fields, rules: readonly HeaderRule[]): Fields {
  let changed: Fields = fields;
  for (const { action, name, value } of rules) {
    if (action !== "add") changed = withoutField(changed, name);
    if (action !== "remove") changed = [...changed, name, value];
  }
  return changed;
}

export function withoutField(fields: Fields, name: string): Fields {
  return fields.filter((_, index) => fields[index - (index % 2)] !== name);
}
