/** A delegated DNS credential without its secret, which stays sealed in the database. */
export interface Credential {
  readonly id: string;
  readonly applicationId: string;
  readonly provider: string;
  readonly name: string;
  readonly zone: string | null;
  readonly last4: string;
  readonly lastUsedAt: Date | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
}
