import { readFileSync } from "node:fs";
import { openApiDocument } from "../../packages/control/src/api/openapi/openapi.ts";
import { routes } from "../../packages/control/src/api/routes.ts";
import { filesWithNames, withReleaseNames } from "../release/names.ts";
import { configurationPage } from "./configuration-page.ts";
import { metricsPage } from "./metrics-page.ts";
import { providerTable } from "./provider-table.ts";
import { schemaSql } from "./schema-sql.ts";
import { asOpenApi, sdkTypes } from "./sdk-types.ts";
import { stateDiagram } from "./state-diagram.ts";
import { troubleshootingPage } from "./troubleshooting-page.ts";

export interface Generator {
  readonly file: string;
  readonly make: () => Promise<string>;
  /** Needs a database server; a test checks it instead of `--check`. */
  readonly isSlow?: boolean;
}

export const generators: readonly Generator[] = [
  {
    file: "packages/sdk/openapi.json",
    make: async () => `${JSON.stringify(openApiDocument(routes), null, 2)}\n`,
  },
  {
    file: "packages/sdk/src/schema.gen.ts",
    make: async () => sdkTypes(asOpenApi(openApiDocument(routes))),
  },
  { file: "docs/providers.md", make: async () => providerTable() },
  { file: "docs/configuration.md", make: async () => configurationPage() },
  { file: "docs/metrics.md", make: metricsPage },
  { file: "docs/troubleshooting.md", make: async () => troubleshootingPage() },
  { file: "docs/states.svg", make: async () => stateDiagram() },
  ...filesWithNames.map((file) => ({
    file,
    make: async () => withReleaseNames(file, readFileSync(file, "utf8")),
  })),
  { file: "packages/control/schema.sql", make: schemaSql, isSlow: true },
];
