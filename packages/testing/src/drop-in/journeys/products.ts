import { calCom } from "./cal-com.ts";
import { cap } from "./cap.ts";
import { chatwoot } from "./chatwoot.ts";
import { dub } from "./dub.ts";
import { logto } from "./logto.ts";
import { openStatus } from "./open-status.ts";
import { papermark } from "./papermark.ts";
import { twenty } from "./twenty.ts";
import { typebot } from "./typebot.ts";

/** Public products that call one of the two vendors for the domains of their customers. */
export const products = {
  papermark,
  openStatus,
  cap,
  dub,
  typebot,
  calCom,
  logto,
  twenty,
  chatwoot,
} as const;
