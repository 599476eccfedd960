import { type Config, ConfigError, type DatabaseFacts, inspectRootKeys } from "@mooring/control";
import { type Finding, fail, ok, warn } from "./finding.ts";

const name = "secret_key";

export function checkSecretKey(config: Config, facts: DatabaseFacts | null): Finding {
  try {
    const found = inspectRootKeys(config, facts);
    switch (found.kind) {
      case "right":
        return ok(name, `${found.keyIds.join(", ")}: this database's`);
      case "wrong":
        return fail(
          name,
          found.problem,
          "restore SECRET_KEY (or DATA_DIR/secret-key) from a backup",
        );
      case "unproven":
        return ok(
          name,
          `${found.keyIds.join(", ")}: readable; nothing has been sealed with it yet`,
        );
      case "absent":
        return absent(facts);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mend = "write it as id:base64 with 32 bytes; `mooring secrets generate` makes one";
    return fail(name, error.problems.join("; "), mend);
  }
}

function absent(facts: DatabaseFacts | null): Finding {
  if (facts?.keyChecks && facts.keyChecks.length > 0) {
    const ids = facts.keyChecks.map((check) => check.keyId).join(", ");
    return fail(
      name,
      `there is no root key here, and this database is sealed under ${ids}`,
      `set SECRET_KEY to the one with ${ids}`,
    );
  }
  return warn(
    name,
    "there is none; the first start generates one into DATA_DIR",
    "for production: `mooring secrets generate`, and set SECRET_KEY to what it prints",
  );
}
