import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { licenceTexts, productionBom, productionPackages } from "./files.ts";

describe("the files of a release", () => {
  it("list every package of production and no tool, with hash and licence", () => {
    const bom = productionBom();
    const text = JSON.stringify(bom);
    const refs = bom.components.map((one) => one["bom-ref"]);
    // Packages that the workspace also has as tools, which npm's own filter leaves out.
    for (const name of ["pg", "fastify", "zod"]) {
      assert.ok(
        refs.some((ref) => ref.startsWith(`${name}@`)),
        `${name} is missing`,
      );
    }
    assert.ok(!refs.some((ref) => /^(@biomejs\/biome|typescript|knip)@/.test(ref)));
    const libraries = bom.components.filter((one) => !one["bom-ref"].startsWith("@mooring/"));
    assert.ok(libraries.every((one) => "hashes" in one && "licenses" in one));
    assert.match(text, /"bomFormat":"CycloneDX"/);
  });

  it("have the text of each licence that is installed", () => {
    const text = licenceTexts();
    for (const [location, { version }] of productionPackages()) {
      const name = location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
      assert.ok(text.includes(`${name} ${version} (`), name);
    }
    assert.match(text, /Permission is hereby granted, free of charge/);
  });
});
