import { compact, readChoice, readText, type SearchRecord } from "../app/search-text.ts";

export const deliveryStatuses = ["pending", "delivered", "failed", "exhausted"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface DeliverySearch {
  readonly status?: DeliveryStatus;
  readonly endpoint?: string;
  readonly connection?: string;
  readonly domain?: string;
  readonly type?: string;
  readonly cursor?: string;
}

export function readDeliverySearch(search: SearchRecord): DeliverySearch {
  return compact<DeliverySearch>({
    status: readChoice(search, "status", deliveryStatuses),
    endpoint: readText(search, "endpoint"),
    connection: readText(search, "connection"),
    domain: readText(search, "domain"),
    type: readText(search, "type"),
    cursor: readText(search, "cursor"),
  });
}
