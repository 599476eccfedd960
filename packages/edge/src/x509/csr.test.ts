import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { describe, it } from "node:test";
import { readCsr } from "../../test/support/read-csr.ts";
import { createCsr } from "./csr.ts";
import { generateKey } from "./keys.ts";

describe("createCsr", () => {
  it("is signed by its key and names the host as alternative name alone", async () => {
    const key = await generateKey();
    const hostname = `${"long-label.".repeat(10)}example`;
    const request = await readCsr(await createCsr(hostname, key));
    assert.equal(request.subject, "");
    assert.deepEqual(request.hostnames, [hostname]);
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    assert.deepEqual(request.publicKey, publicKey);
  });
});
