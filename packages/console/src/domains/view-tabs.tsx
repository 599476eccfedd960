import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { builtInViews, type DomainSearch, isSameView } from "./domain-search.ts";
import { useSavedViews } from "./saved-views.ts";

/** The built-in views, those that this person saved, and the way to save the one on screen. */
export function ViewTabs({ search }: { readonly search: DomainSearch }) {
  const { environment } = useWorkspace();
  const saved = useSavedViews();
  const [isNaming, setNaming] = useState(false);
  const all = [...builtInViews, ...saved.views];
  const current = all.find((view) => isSameView(view.search, search));
  const own = saved.views.find((view) => view === current);
  return (
    <div className="spread">
      <Tabs label="Views" current={current?.name}>
        {all.map((view) => (
          <Link
            key={view.name}
            to="/$environment/domains"
            params={{ environment }}
            search={view.search}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={view === current ? "page" : undefined}
          >
            {view.name}
          </Link>
        ))}
      </Tabs>
      {current === undefined ? (
        <button type="button" className="button small" onClick={() => setNaming(true)}>
          <Icon name="plus" /> Save this view
        </button>
      ) : null}
      {own === undefined ? null : (
        <button type="button" className="button small" onClick={() => saved.remove(own.name)}>
          Delete this view
        </button>
      )}
      <SaveView
        isOpen={isNaming}
        onClose={() => setNaming(false)}
        onSave={(name) => saved.save(name, search)}
      />
    </div>
  );
}

interface SaveProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSave: (name: string) => void;
}

function SaveView({ isOpen, onClose, onSave }: SaveProps) {
  const [name, setName] = useState("");
  return (
    <Dialog
      title="Save this view"
      description="It is stored in this browser. To show it to a colleague, send them the address of the page."
      isOpen={isOpen}
      onClose={onClose}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(name.trim());
          setName("");
          onClose();
        }}
      >
        <TextField label="Name" value={name} onChange={setName} isRequired />
        <button type="submit" className="button primary" disabled={name.trim() === ""}>
          Save
        </button>
      </form>
    </Dialog>
  );
}
