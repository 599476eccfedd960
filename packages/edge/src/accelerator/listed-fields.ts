/** The name of the action below in the configuration of HAProxy. */
export const listedFieldsAction = "drop_listed_fields";

/**
 * Drops the fields that an origin lists in `Connection`, and that one itself (RFC 9110 §7.6.1). The
 * rules of HAProxy can drop only names that the configuration has; its Lua can drop any.
 */
export function listedFieldsScript(retained: readonly string[]): string {
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
`;
}
