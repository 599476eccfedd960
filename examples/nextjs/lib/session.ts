/** Replace it with your session. Never take the customer from the request's own words. */
export function signedInCustomer(_request: Request): string | null {
  return process.env["DEMO_CUSTOMER"] ?? null;
}
