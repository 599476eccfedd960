import { curlLine } from "/live.js";

/**
 * A customer's domain as a visitor sees it: the page, its certificate, and the same from a shell.
 */
const hostname = new URLSearchParams(location.search).get("hostname") ?? "";
const settings = await (await fetch("/settings")).json();
const status = document.getElementById("status");
const query = `hostname=${encodeURIComponent(hostname)}`;

document.title = hostname;
document.getElementById("address").textContent = `https://${hostname}:${settings.edge_port}/`;
const command = curlLine(hostname, settings);
document.getElementById("command").textContent = command;
document.getElementById("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(command);
  document.getElementById("copied").textContent = "Copied.";
});

const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });

function showCertificate(certificate) {
  const rows = [
    ["Valid for", certificate.names],
    ["Issued by", certificate.issuer],
    ["From", day.format(new Date(certificate.validFrom))],
    ["Until", day.format(new Date(certificate.validTo))],
    ["Serial number", certificate.serialNumber],
    ["SHA-256 fingerprint", certificate.fingerprint],
    ["Protocol", certificate.protocol],
  ];
  const parts = rows.flatMap(([name, value]) => [
    Object.assign(document.createElement("dt"), { textContent: name }),
    Object.assign(document.createElement("dd"), { textContent: value }),
  ]);
  const list = document.getElementById("certificate");
  list.replaceChildren(...parts);
  list.hidden = false;
}

const answer = await fetch(`/visit?${query}`);
const seen = await answer.json();
if (answer.ok) {
  document.getElementById("frame").src = `/through?${query}`;
  status.textContent = `The edge answered with status ${seen.status}; the certificate is valid.`;
  showCertificate(seen.certificate);
} else {
  status.textContent = seen.error;
}
