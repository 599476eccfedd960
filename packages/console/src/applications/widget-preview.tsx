import { useEffect, useRef, useState } from "react";
import { loadCode } from "../api/load-code.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Problem } from "../ui/status.tsx";

/** The part of the widget's module that the preview uses. */
interface WidgetModule {
  readonly open: (options: {
    readonly applicationId: string;
    readonly getToken: () => Promise<string>;
    readonly container: Element;
    readonly brandName?: string;
    readonly theme: { readonly accentColor: string };
  }) => { readonly close: () => void };
}

interface Props {
  readonly applicationId: string;
  readonly brandName: string;
  readonly color: string;
}

const moduleUrl = "/sdk/v1/widget.mjs";

/** The real widget, with the values of the form; it starts again when they change. */
export function WidgetPreview({ applicationId, brandName, color }: Props) {
  const { api } = useWorkspace();
  const containerRef = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isFailed = failure !== null;
  useEffect(() => {
    const container = containerRef.current;
    if (container === null || isFailed) return;
    let isGone = false;
    let close = () => {};
    const show = async () => {
      const { open }: WidgetModule = await loadCode(() => import(moduleUrl));
      if (isGone) return;
      const handle = open({
        applicationId,
        container,
        theme: { accentColor: color },
        getToken: async () => (await api.tokens.mint({ application_id: applicationId })).auth_token,
        ...(brandName === "" ? {} : { brandName }),
      });
      close = handle.close;
    };
    const timer = setTimeout(() => void show().catch(setFailure), 300);
    return () => {
      isGone = true;
      clearTimeout(timer);
      close();
      container.replaceChildren();
    };
  }, [api, applicationId, brandName, color, isFailed]);
  if (isFailed) return <Problem error={failure} onRetry={() => setFailure(null)} />;
  return <div ref={containerRef} className="widget-place" />;
}
