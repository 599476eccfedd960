import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import { type Finding, fail, ok } from "./finding.ts";

/** Files whose readers could open everything. */
const secretFiles = ["secret-key", "database-url"];

export function checkDataDirectory(directory: string): Finding {
  const place = nearest(directory);
  if (!statSync(place).isDirectory()) {
    return fail("data_dir", `${place} is not a directory`, "set DATA_DIR to one");
  }
  if (!mayWrite(place)) {
    return fail(
      "data_dir",
      `this user may not write to ${place}`,
      "give the directory to the user who runs Mooring, or set DATA_DIR to another one",
    );
  }
  const open = secretFiles
    .map((name) => path.join(directory, name))
    .filter((file) => existsSync(file) && isOpenToOthers(file));
  if (open.length > 0) {
    return fail(
      "data_dir",
      `other users of this machine may read ${open.join(" and ")}`,
      `chmod 600 ${open.join(" ")}`,
    );
  }
  const state = place === directory ? "writable" : "will be made at the first start";
  return ok("data_dir", `${directory} (${state})`);
}

/** The directory, or the nearest above it that exists, in which it would be made. */
function nearest(directory: string): string {
  return existsSync(directory) ? directory : nearest(path.dirname(directory));
}

function mayWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false; // whatever the reason, that is the answer
  }
}

function isOpenToOthers(file: string): boolean {
  return process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
}
