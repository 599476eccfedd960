import { createAnswerer, startNameServer } from "../packages/dns/src/index.ts";

/**
 * `name-server-main.ts ADDRESS PORT ZONE NAMES`: our name server with NAMES names, each with one
 * value.
 */
const [address = "", port = "", zone = "", names = ""] = process.argv.slice(2);
const value = "AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKK";
const values = new Map(Array.from({ length: Number(names) }, (_, at) => [`h${at}`, [value]]));

await startNameServer({
  hosts: [address],
  port: Number(port),
  ratePerNetwork: 0,
  answer: createAnswerer(
    { zone, nameServers: ["ns1.mooring.example", "ns2.mooring.example"] },
    { findValues: (label) => values.get(label) ?? null, serial: () => 1 },
  ),
  onError: (error) => {
    throw error;
  },
});
console.log("listening");
