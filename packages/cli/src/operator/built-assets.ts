import { fileURLToPath } from "node:url";
import type { AssetDirectories } from "@mooring/control";

/** Where `npm run build` leaves what browsers get; the API itself says when it is not there. */
export const builtAssets: AssetDirectories = {
  widget: fileURLToPath(new URL("../../../widget/dist/sdk/v1", import.meta.url)),
  docs: fileURLToPath(new URL("../../../../docs/dist", import.meta.url)),
};
