import type { Application } from "../../domain/applications/application.ts";

/** Who asks for the records, as the customer knows them. */
export interface ShareBrand {
  readonly name: string;
  readonly logoUrl: string | null;
  /** As `#rrggbb`. */
  readonly color: string | null;
  readonly supportUrl: string | null;
}

export function shareBrand({ name, brand }: Application): ShareBrand {
  return {
    name: brand?.name ?? name,
    logoUrl: brand?.logoUrl ?? null,
    color: brand?.color ?? null,
    supportUrl: brand?.supportUrl ?? null,
  };
}
