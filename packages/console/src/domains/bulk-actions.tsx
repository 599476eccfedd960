import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { errorText } from "../ui/status.tsx";
import { announce } from "../ui/toast.tsx";

interface Props {
  readonly names: ReadonlyMap<string, string>;
  readonly selected: ReadonlySet<string>;
  readonly onDone: () => void;
}

interface Shared {
  readonly hostname: string;
  readonly url: string | null;
  readonly problem: string | null;
}

/**
 * Re-check and share for the rows that are selected; one by one, so that one refusal stops no
 * other.
 */
export function BulkActions({ names, selected, onDone }: Props) {
  const { api, environment, may } = useWorkspace();
  const queryClient = useQueryClient();
  const [shared, setShared] = useState<readonly Shared[] | null>(null);
  const ids = [...selected];
  const recheck = useMutation({
    mutationFn: () => Promise.allSettled(ids.map((id) => api.connections.checkRecords(id))),
    async onSuccess(results) {
      const failed = results.filter(({ status }) => status === "rejected").length;
      announce(
        failed === 0
          ? `${results.length} domains are checked.`
          : `${results.length - failed} domains are checked, ${failed} could not be.`,
      );
      await queryClient.invalidateQueries({ queryKey: [environment, "connections"] });
      onDone();
    },
  });
  const share = useMutation({
    mutationFn: () =>
      Promise.all(
        ids.map(async (id): Promise<Shared> => {
          const hostname = names.get(id) ?? id;
          try {
            return { hostname, url: (await api.connections.share(id)).url, problem: null };
          } catch (error) {
            return { hostname, url: null, problem: errorText(error) };
          }
        }),
      ),
    onSuccess: setShared,
  });
  if (selected.size === 0 && shared === null) return null;
  const isOff = !may("support") || recheck.isPending || share.isPending;
  return (
    <div className="bulk">
      <strong>{selected.size} selected</strong>
      <button
        type="button"
        className="button small"
        disabled={isOff}
        onClick={() => recheck.mutate()}
      >
        <Icon name="refresh" /> Check now
      </button>
      <button
        type="button"
        className="button small"
        disabled={isOff}
        onClick={() => share.mutate()}
      >
        <Icon name="share" /> Share
      </button>
      <button type="button" className="button small quiet" onClick={onDone}>
        Clear
      </button>
      <SharedLinks shared={shared} onClose={() => setShared(null)} />
    </div>
  );
}

function SharedLinks(props: {
  readonly shared: readonly Shared[] | null;
  readonly onClose: () => void;
}) {
  const { shared, onClose } = props;
  const text = (shared ?? [])
    .flatMap(({ hostname, url }) => (url === null ? [] : [`${hostname}\t${url}`]))
    .join("\n");
  return (
    <Dialog
      title="Links for the people who manage the DNS"
      description="Anyone who has a link can read its page for seven days. The links are shown only here."
      isOpen={shared !== null}
      onClose={onClose}
      isWide
    >
      <dl className="facts">
        {(shared ?? []).map(({ hostname, url, problem }) => (
          <div key={hostname} className="facts-row">
            <dt>{hostname}</dt>
            <dd>
              {url === null ? (
                <span className="bad-text">{problem}</span>
              ) : (
                <Copy text={url} label={`the link of ${hostname}`} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      <footer>
        <Copy text={text} label="all links">
          <span>Copy all</span>
        </Copy>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </footer>
    </Dialog>
  );
}
