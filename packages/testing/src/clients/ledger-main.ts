import { startReceiver } from "../control/webhooks/webhook-receiver.ts";
import { createLedger } from "./webhook-ledger.ts";

/** The child process of `startLedger`: a message is the signing secret, or asks for the report. */
let secret = "";
const receiver = await startReceiver({ records: false });
const ledger = createLedger(() => secret, Math.random);
receiver.behave(ledger.behaviour);

process.on("message", (message) => {
  if (message === "report") process.send?.(ledger.report());
  else {
    secret = String(message);
    process.send?.("trusted");
  }
});
// Ends with the test, also when the test crashes.
process.once("disconnect", () => process.exit(0));
process.send?.(receiver.url);
