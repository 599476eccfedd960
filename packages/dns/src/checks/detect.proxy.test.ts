import assert from "node:assert/strict";
import { test } from "node:test";
import { isProxyAddress } from "./detect.ts";

test("the first and the last address of a range count, their neighbours do not", () => {
  assert.equal(isProxyAddress("104.16.0.0"), true);
  assert.equal(isProxyAddress("104.27.255.255"), true);
  assert.equal(isProxyAddress("104.15.255.255"), false);
  assert.equal(isProxyAddress("104.28.0.0"), false);
  assert.equal(isProxyAddress("131.0.72.0"), true);
  assert.equal(isProxyAddress("131.0.76.0"), false);
  assert.equal(isProxyAddress("198.41.127.255"), false);
});

test("IPv6 is matched in every spelling", () => {
  assert.equal(isProxyAddress("2606:4700::6810:1"), true);
  assert.equal(isProxyAddress("2606:4700:0000:0000:0000:0000:0000:0001"), true);
  assert.equal(isProxyAddress("2a06:98c7:ffff::1"), true);
  assert.equal(isProxyAddress("2a06:98c8::1"), false);
  assert.equal(isProxyAddress("2606:4701::1"), false);
});

test("what is no address belongs to no range", () => {
  for (const text of ["", "104.16.0", "104.16.0.0/13", "example.com", "fe80::1%eth0", "::1"]) {
    assert.equal(isProxyAddress(text), false, text);
  }
});
