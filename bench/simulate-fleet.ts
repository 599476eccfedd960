import { type FleetSettings, simulateFleet } from "./support/fleet-model.ts";
import { line } from "./support/report.ts";

const defaultCertificates = 10_000_000;

/** By name and lifetime: 90 and 45 days, and the six days of short-lived ones. */
const lifetimes = { "90 days": 2_160, "45 days": 1_080, "6 days": 160 };

const incidents = {
  outage: { day: 100, hours: 72 },
  revocation: { day: 200, part: 0.5 },
} satisfies Partial<FleetSettings>;

/**
 * A year of ten million certificates under the product's own rules, with a CA that is away for 72
 * hours and one that revokes half of all. Computed, not measured. Fails when one would expire.
 */
export async function benchSimulateFleet(size: number | null): Promise<void> {
  const certificates = size ?? defaultCertificates;
  console.log(`${certificates.toLocaleString("en")} certificates, a year`);
  line(
    "lifetime",
    "orders",
    "usual",
    "peak",
    "least left",
    "outage over",
    "revoked over",
    "expired",
  );
  for (const [name, lifetimeHours] of Object.entries(lifetimes)) {
    const year = simulateFleet({ certificates, lifetimeHours, ...incidents });
    line(
      name,
      `${(year.orders / 1e6).toFixed(0)} M`,
      `${year.usualPerSecond.toFixed(1)}/s`,
      `${year.peakPerSecond.toFixed(1)}/s`,
      `${year.leastLeftHours.toFixed(1)} h`,
      `${year.outageRecoveredHours.toFixed(1)} h`,
      `${year.revocationRecoveredHours.toFixed(1)} h`,
      year.expired.toLocaleString("en"),
    );
    if (year.expired > 0) process.exitCode = 1;
  }
}
