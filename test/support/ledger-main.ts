import { startReceiver } from "../../packages/control/test/support/webhook-receiver.ts";
import { keepLedger } from "./webhook-ledger.ts";

/** A receiver that keeps a ledger, as a child of a test: it is told its secret, and asked to report. */
let secret = "";
const receiver = await startReceiver({ records: false });
const ledger = keepLedger(() => secret, Math.random);
receiver.behave(ledger.behaviour);

process.on("message", (message) => {
  if (message === "report") process.send?.(ledger.report());
  else {
    secret = String(message);
    process.send?.("trusted");
  }
});
// A test that died must not leave processes behind.
process.once("disconnect", () => process.exit(0));
process.send?.(receiver.url);
