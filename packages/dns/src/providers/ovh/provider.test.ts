import assert from "node:assert/strict";
import { it } from "node:test";
import { startOvh } from "../../../conformance/simulators/ovh.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { ovh } from "./provider.ts";

runConformance(ovh, { simulator: startOvh });

it("names the endpoints when another is given", () => {
  const credentials = {
    endpoint: "https://elsewhere.example",
    application_key: "a",
    application_secret: "b",
    consumer_key: "c",
  };
  assert.throws(
    () => ovh.open(credentials, { fetch }),
    (error) =>
      error instanceof ProviderError && error.kind === "auth" && /ovh-eu/.test(error.message),
  );
});
