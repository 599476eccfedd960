/** @jsxImportSource react */
"use client";

import { useCallback, useEffect, useRef } from "react";
import { type OpenOptions, open, type SvcHandle } from "./index.ts";

export interface SvcControls {
  /** Opens the widget with the options of the latest render; `overrides` take precedence. */
  readonly open: (overrides?: Partial<OpenOptions>) => SvcHandle;
  readonly close: () => void;
}

/** Controls the modal widget, which closes when the component unmounts. */
export function useSvc(options: OpenOptions): SvcControls {
  const latest = useLatest(options);
  const handle = useRef<SvcHandle | null>(null);
  const close = useCallback(() => {
    handle.current?.close();
    handle.current = null;
  }, []);
  const openNow = useCallback(
    (overrides: Partial<OpenOptions> = {}) => {
      handle.current = open({ ...withLatestCallbacks(latest), ...overrides });
      return handle.current;
    },
    [latest],
  );
  useEffect(() => close, [close]);
  return { open: openNow, close };
}

export type SvcConnectProps = Omit<OpenOptions, "container"> & { readonly className?: string };

/** The inline widget. It restarts when the application, the connection or the service changes. */
export function SvcConnect(props: SvcConnectProps) {
  const latest = useLatest<OpenOptions>(props);
  const containerRef = useRef<HTMLDivElement>(null);
  const { applicationId, connectionId, baseUrl, className } = props;
  useEffect(() => {
    if (containerRef.current === null) return;
    const handle = open({
      ...withLatestCallbacks(latest),
      applicationId,
      ...(connectionId === undefined ? {} : { connectionId }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      container: containerRef.current,
    });
    return () => handle.close();
  }, [applicationId, connectionId, baseUrl, latest]);
  return <div ref={containerRef} className={className} />;
}

interface Latest<T> {
  current: T;
}

function useLatest<T>(value: T): Latest<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Callbacks of the latest render, not of the render that opened the widget. */
function withLatestCallbacks(latest: Latest<OpenOptions>): OpenOptions {
  const { getToken } = latest.current;
  return {
    ...latest.current,
    onSuccess: (result) => latest.current.onSuccess?.(result),
    onClose: (result) => latest.current.onClose?.(result),
    ...(getToken === undefined ? {} : { getToken: () => (latest.current.getToken ?? getToken)() }),
  };
}
