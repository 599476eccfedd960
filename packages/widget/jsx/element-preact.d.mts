import type { HTMLAttributes } from "preact";
import type { SvcConnectAttributes, SvcConnectElement, SvcConnectProperties } from "./element.mjs";

export {
  type SvcConnectAttributes,
  SvcConnectElement,
  type SvcConnectProperties,
} from "./element.mjs";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "svc-connect": HTMLAttributes<SvcConnectElement> &
        SvcConnectAttributes &
        SvcConnectProperties;
    }
  }
}
