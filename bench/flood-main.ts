import { answerTo, clientHello, loopbackAddress } from "@mooring/testing/clients/many-clients";

/**
 * `flood-main.ts ADDRESS PORT RATE`: RATE handshakes a second, each for a new unknown name and from
 * another address, until it is stopped. Prints every second how many were refused.
 */
const [address = "", port = "", rate = ""] = process.argv.slice(2);
const everyMs = 5;
let begun = 0;
let refused = 0;
const startedAt = performance.now();
setInterval(() => {
  const due = ((performance.now() - startedAt) / 1_000) * Number(rate);
  while (begun < due) {
    begun += 1;
    const hello = clientHello(`x${begun}.unknown.example`);
    void answerTo(Number(port), loopbackAddress(begun), hello, address).then((answer) => {
      // A TLS record with the fatal alert unrecognized_name.
      if (answer === "15030300020270") refused += 1;
    });
  }
}, everyMs);
setInterval(() => console.log(`refused ${refused}`), 1_000);
