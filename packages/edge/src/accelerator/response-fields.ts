import type { ApplicationEdge } from "../hosts/application-edge.ts";

/** The names of the actions below in the configuration of HAProxy. */
export const listedFieldsAction = "drop_listed_fields";
export const fieldRulesAction = "apply_field_rules";
/** The variable with the rules, a line each. */
export const fieldRulesVariable = "txn.rules";

/**
 * What the rules of HAProxy cannot do to the fields of a response, since they know only names that
 * the configuration has; its Lua can name any. It drops the fields that an origin lists in
 * `Connection`, and that one itself (RFC 9110 §7.6.1), and it follows `response_headers`.
 */
export function responseFieldsScript(retained: readonly string[]): string {
  const names = retained.map((name) => `["${name}"] = true`).join(", ");
  return `-- Written by the edge at each start; changes are lost.
local retained = { ${names} }

core.register_action("${listedFieldsAction}", { "http-res" }, function(txn)
  for _, line in pairs(txn.http:res_get_headers()["connection"] or {}) do
    for part in string.gmatch(line, "[^,]+") do
      local name = string.lower(string.match(part, "^%s*(.-)%s*$"))
      if name ~= "" and not retained[name] then
        txn.http:res_del_header(name)
      end
    end
  end
  txn.http:res_del_header("connection")
end)

core.register_action("${fieldRulesAction}", { "http-res" }, function(txn)
  for line in string.gmatch(txn:get_var("${fieldRulesVariable}"), "[^\\n]+") do
    local action, name, value = string.match(line, "^(%a+) (%S+) (.*)$")
    if action ~= "add" then
      txn.http:res_del_header(name)
    end
    if action ~= "remove" then
      txn.http:res_add_header(name, value)
    end
  end
end)
`;
}

/** What HAProxy's buffer has room for beside all that an origin may send. */
const maxRulesBytes = 2_000;
const plainRule = /^[!-~]+ [\t\x20-\x7e]*$/;

export function areRulesExpressible(headerRules: ApplicationEdge["headerRules"]): boolean {
  const isPlain = headerRules.every(({ name, value }) => plainRule.test(`${name} ${value}`));
  return isPlain && rulesText(headerRules).length <= maxRulesBytes;
}

/** As the action above reads them. */
export function rulesText(rules: ApplicationEdge["headerRules"]): string {
  return rules.map(({ action, name, value }) => `${action} ${name} ${value}`).join("\n");
}
