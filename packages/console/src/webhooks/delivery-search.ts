import { choiceOf, compact, type SearchRecord, textOf } from "../app/search-text.ts";

export const deliveryStatuses = ["pending", "delivered", "failed", "exhausted"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface DeliverySearch {
  readonly status?: DeliveryStatus;
  readonly endpoint?: string;
  readonly connection?: string;
  readonly type?: string;
  readonly cursor?: string;
}

export function readDeliverySearch(search: SearchRecord): DeliverySearch {
  return compact<DeliverySearch>({
    status: choiceOf(search, "status", deliveryStatuses),
    endpoint: textOf(search, "endpoint"),
    connection: textOf(search, "connection"),
    type: textOf(search, "type"),
    cursor: textOf(search, "cursor"),
  });
}
