import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const root = path.resolve(import.meta.dirname, "../../../../..");

export interface Delivered {
  readonly type: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** As the documents promise it, compared by a validator that is not ours. */
export async function loadEventValidator(): Promise<(event: Delivered) => void> {
  const text = await readFile(path.join(root, "packages/sdk/openapi.json"), "utf8");
  const document = JSON.parse(text) as {
    webhooks: Record<string, { post: { parameters: { name: string; required: boolean }[] } }>;
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi.json");
  const requireValid = (pointer: string, body: unknown): void => {
    const validate = ajv.getSchema(`openapi.json#${pointer}`);
    assert.ok(validate, pointer);
    assert.ok(validate(body), `${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`);
  };
  return ({ type, headers, text: body }) => {
    const operation = `/webhooks/${type}/post`;
    requireValid(
      `${operation}/requestBody/content/application~1json/schema`,
      JSON.parse(body) as unknown,
    );
    requireValid("/components/schemas/WebhookEvent", JSON.parse(body) as unknown);
    const promised = document.webhooks[type]?.post.parameters.filter(({ required }) => required);
    for (const { name } of promised ?? []) assert.ok(headers[name.toLowerCase()], name);
  };
}
