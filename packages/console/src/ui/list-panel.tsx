import type { Page } from "@mooring/sdk";
import type { ReactNode } from "react";
import { type Column, DataTable, type Selection } from "./data-table.tsx";
import { Pager } from "./pager.tsx";
import { Loading, Problem } from "./status.tsx";

/** What a list takes from a query: all rows, or one page of them. */
export interface ListQuery<T> {
  readonly data: readonly T[] | Page<T> | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface Paging {
  readonly cursor: string | undefined;
  readonly onChange: (cursor: string | undefined) => void;
  readonly noun: string;
}

interface Props<T> {
  readonly label: string;
  /** The name of the table, where it is another than the panel's. */
  readonly tableLabel?: string;
  readonly query: ListQuery<T>;
  /** What assistive technology says until the first rows are there. */
  readonly loading: string;
  readonly loadingLines?: number;
  readonly columns: readonly Column<T>[];
  /** Shown when there is no row. */
  readonly empty: ReactNode;
  /** Above the list, also while it loads: a heading or filters. */
  readonly header?: ReactNode;
  /** Above the table, when there is one. */
  readonly actions?: ReactNode;
  /** For lists that are shown page by page. */
  readonly paging?: Paging;
  /** Below the list: a footer, dialogs. */
  readonly children?: ReactNode;
  readonly onOpen?: (row: T) => void;
  readonly selection?: Selection;
  readonly hasKeys?: boolean;
}

/**
 * A panel with the rows of a query: while they load, when they cannot be read, when there are none.
 */
export function ListPanel<T extends { readonly id: string }>(props: Props<T>) {
  const { label, query, columns, paging } = props;
  const { onOpen, selection, hasKeys = true } = props;
  const rows = query.data === undefined ? undefined : allRows(query.data);
  return (
    <section className="panel" aria-label={label}>
      {props.header}
      {query.isPending ? <Loading lines={props.loadingLines ?? 4} label={props.loading} /> : null}
      {query.error ? (
        <div className="body">
          <Problem error={query.error} onRetry={query.refetch} />
        </div>
      ) : null}
      {rows?.length === 0 ? props.empty : null}
      {rows === undefined || rows.length === 0 ? null : (
        <>
          {props.actions}
          <DataTable
            label={props.tableLabel ?? label}
            rows={rows}
            columns={columns}
            rowId={({ id }) => id}
            hasKeys={hasKeys}
            {...(onOpen === undefined ? {} : { onOpen })}
            {...(selection === undefined ? {} : { selection })}
          />
        </>
      )}
      {paging === undefined ? null : (
        <Pager {...paging} nextCursor={nextCursor(query.data)} count={rows?.length} />
      )}
      {props.children}
    </section>
  );
}

function allRows<T>(data: readonly T[] | Page<T>): readonly T[] {
  return "data" in data ? data.data : data;
}

function nextCursor<T>(data: readonly T[] | Page<T> | undefined): string | null {
  return data !== undefined && "data" in data ? data.next_cursor : null;
}
