import { openApiDocument } from "../packages/control/src/api/openapi.ts";
import { routes } from "../packages/control/src/api/routes/registry.ts";

export interface Generator {
  readonly file: string;
  readonly make: () => Promise<string>;
}

export const generators: readonly Generator[] = [
  {
    file: "packages/sdk/openapi.json",
    make: async () => `${JSON.stringify(openApiDocument(routes), null, 2)}\n`,
  },
];
