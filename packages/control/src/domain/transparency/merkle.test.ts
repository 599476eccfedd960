import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { describe, it } from "node:test";
import vectors from "./fixtures/vectors.json" with { type: "json" };
import {
  appendLeaves,
  emptyFrontier,
  type Frontier,
  frontierFromPath,
  frontierRoot,
  isConsistent,
} from "./merkle.ts";
import { frontierFromTiles, proofFromTiles, type Tile, tilePath, tileWidth } from "./tiles.ts";

const { merkle } = vectors;

function hashLeaf(data: Buffer): Buffer {
  return hash("sha256", Buffer.concat([Buffer.of(0), data]), "buffer");
}

const leaves = Array.from({ length: 600 }, (_, index) => hashLeaf(Buffer.from(`leaf ${index}`)));
const fromHex = (hex: string): Buffer => Buffer.from(hex, "hex");

function treeOf(size: number): Frontier {
  return appendLeaves(emptyFrontier, leaves.slice(0, size));
}

describe("frontierRoot", () => {
  it("is the root that golang.org/x/mod computes for each size", () => {
    merkle.roots.forEach((root, size) => {
      if (size > 0) assert.equal(frontierRoot(treeOf(size)).toString("hex"), root);
    });
  });

  it("is the root of the leaves that Certificate Transparency's own tests use", () => {
    const data = [
      "",
      "00",
      "10",
      "2021",
      "3031",
      "40414243",
      "5051525354555657",
      "606162636465666768696a6b6c6d6e6f",
    ];
    const all = data.map((hex) => hashLeaf(fromHex(hex)));
    const root = (size: number): string =>
      frontierRoot(appendLeaves(emptyFrontier, all.slice(0, size))).toString("hex");
    assert.equal(root(0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert.equal(root(1), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    assert.equal(root(3), "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77");
    assert.equal(root(8), "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
  });
});

describe("isConsistent", () => {
  const cases = merkle.proofs.map((each) => ({
    first: { size: each.first, root: fromHex(each.first_root) },
    second: { size: each.second, root: fromHex(each.second_root) },
    proof: each.proof.map(fromHex),
  }));

  it("accepts the proofs of golang.org/x/mod", () => {
    for (const { first, second, proof } of cases) {
      assert.ok(isConsistent(first, second, proof), `${first.size} to ${second.size}`);
    }
  });

  it("refuses a proof that lacks a hash, has one more, or has one changed", () => {
    for (const { first, second, proof } of cases) {
      const last = proof.at(-1) ?? Buffer.alloc(32);
      assert.ok(!isConsistent(first, second, proof.slice(0, -1)));
      assert.ok(!isConsistent(first, second, [...proof, last]));
      proof.forEach((hashed, at) => {
        const changed = Buffer.from(hashed);
        changed[0] = (changed[0] ?? 0) ^ 1;
        assert.ok(!isConsistent(first, second, proof.with(at, changed)));
      });
    }
  });

  it("refuses two roots of one size, and a tree that became smaller", () => {
    const [one] = cases;
    assert.ok(one);
    const { first, second } = one;
    assert.ok(!isConsistent(first, { ...first, root: second.root }, []));
    assert.ok(!isConsistent(second, first, []));
    assert.ok(isConsistent(first, first, []));
  });
});

describe("frontierFromPath", () => {
  it("gives the tree whose last leaf has that audit path", () => {
    for (const { second, second_root, path_of_last_leaf } of merkle.proofs) {
      const last = leaves[second - 1];
      assert.ok(last);
      const frontier = frontierFromPath(second, last, path_of_last_leaf.map(fromHex));
      assert.ok(frontier);
      assert.equal(frontierRoot(frontier).toString("hex"), second_root);
      assert.deepEqual(frontier, treeOf(second));
    }
  });
});

describe("tiles", () => {
  /** By the definition: each hash is the root of the leaves below it. */
  function readTile({ level, index, width }: Tile): Promise<Buffer> {
    const span = tileWidth ** level;
    const hashes = Array.from({ length: width }, (_, offset) => {
      const start = (index * tileWidth + offset) * span;
      const below = leaves.slice(start, start + span);
      assert.equal(below.length, span, "a hash of a subtree that is not complete");
      return frontierRoot(appendLeaves(emptyFrontier, below));
    });
    return Promise.resolve(Buffer.concat(hashes));
  }

  it("give the proofs of golang.org/x/mod", async () => {
    for (const { first, second, proof } of merkle.proofs) {
      const found = await proofFromTiles(first, second, readTile);
      assert.deepEqual(
        found.map((each) => each.toString("hex")),
        proof,
      );
    }
  });

  it("give the frontier of a tree", async () => {
    for (const size of [1, 255, 256, 257, 600]) {
      assert.deepEqual(await frontierFromTiles(size, readTile), treeOf(size));
    }
  });

  it("have the paths of the specification", () => {
    assert.equal(tilePath(0, 1_234_067, 256), "tile/0/x001/x234/067");
    assert.equal(tilePath(2, 0, 17), "tile/2/000.p/17");
    assert.equal(tilePath("data", 999, 256), "tile/data/999");
    assert.equal(tilePath(0, 1_000, 1), "tile/0/x001/000.p/1");
    // Those of golang.org/x/mod name the height too.
    const paths = [
      tilePath(0, 1_234_067, 256),
      tilePath(2, 0, 17),
      tilePath("data", 999, 256),
      tilePath(0, 1_000, 1),
    ].map((path) => path.replace("tile/", "tile/8/"));
    assert.deepEqual(paths, merkle.tile_paths);
  });
});
