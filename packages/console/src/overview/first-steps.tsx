import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";
import { NewDomainButton } from "../domains/new-domain.tsx";

/** Without a domain there is nothing to show: the way to the first one. */
export function FirstSteps() {
  const { environment } = useWorkspace();
  return (
    <section className="panel" aria-label="First steps">
      <header>
        <h2>Connect the first domain</h2>
        <NewDomainButton />
      </header>
      <ol className="steps body">
        <li>
          <div>
            <strong>Say where requests go.</strong>
            <p className="muted">
              <Link to="/$environment/applications" params={{ environment }}>
                Open your application
              </Link>{" "}
              and set its origin.
            </p>
          </div>
        </li>
        <li>
          <div>
            <strong>Put the widget into your product, or connect a domain by hand.</strong>
            <p className="muted">
              {environment === "test"
                ? "In the test environment any name under .test works, without a registrar."
                : "The switch above leads to the test environment, where names under .test need no registrar."}{" "}
              <a href="/docs/quick-start" target="_blank" rel="noreferrer">
                The quick start
              </a>{" "}
              takes five minutes.
            </p>
          </div>
        </li>
        <li>
          <div>
            <strong>Receive events.</strong>
            <p className="muted">
              <Link to="/$environment/webhooks" params={{ environment }}>
                Add a webhook endpoint
              </Link>{" "}
              to know when a domain is live, or needs somebody.
            </p>
          </div>
        </li>
      </ol>
    </section>
  );
}
