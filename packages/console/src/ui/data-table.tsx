import {
  createColumnHelper,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useKeys } from "./keys.ts";

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  readonly isNumber?: boolean;
  /** Named by its content alone on narrow screens, where a row is a card. */
  readonly isTitle?: boolean;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  readonly name: (id: string) => string;
}

interface Props<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly rowId: (row: T) => string;
  /** Enter on the active row. */
  readonly onOpen?: (row: T) => void;
  readonly selection?: Selection;
  /** False for the second table of a page: only one of them has the keys. */
  readonly hasKeys?: boolean;
}

const features = tableFeatures({ rowSelectionFeature });

/**
 * A table over one page of rows: j and k move, Enter opens, x selects. Narrow screens show cards.
 */
export function DataTable<T>(props: Props<T>) {
  const { rows, rowId, selection, onOpen, hasKeys = true } = props;
  const table = useRows(props);
  const [active, setActive] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (step: number) => {
    setActive((now) => Math.min(rows.length - 1, Math.max(0, now + step)));
  };
  useEffect(() => {
    const row = body.current?.children[active];
    row?.scrollIntoView({ block: "nearest" });
    // The row's link gets the focus, so that Enter and assistive technology know where the person
    // is.
    row?.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
  }, [active]);
  const current = rows[active];
  useKeys(
    hasKeys
      ? {
          j: () => move(1),
          k: () => move(-1),
          enter: () => (current === undefined ? undefined : onOpen?.(current)),
          x: () => (current === undefined ? undefined : toggle(selection, rowId(current))),
        }
      : {},
  );
  return (
    <div className="table-frame cards">
      <table aria-label={props.label}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {selection === undefined ? null : <SelectAll selection={selection} table={table} />}
              {group.headers.map((header, index) => (
                <th key={header.id} className={props.columns[index]?.isNumber ? "number" : ""}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody ref={body}>
          {table.getRowModel().rows.map((row, index) => (
            <tr key={row.id} data-active={index === active}>
              {selection === undefined ? null : <SelectCell selection={selection} id={row.id} />}
              {row.getAllCells().map((cell, at) => (
                <td key={cell.id} {...cellProps(props.columns[at])}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellProps<T>(column: Column<T> | undefined) {
  return {
    className: column?.isNumber ? "number" : "",
    ...(column === undefined || column.isTitle ? {} : { "data-label": column.header }),
  };
}

function useRows<T>({ rows, columns, rowId, selection }: Props<T>) {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, { readonly item: T }>();
    return helper.columns(
      columns.map(({ id, header, cell }) =>
        helper.display({ id, header, cell: ({ row }) => cell(row.original.item) }),
      ),
    );
  }, [columns]);
  const data = useMemo(() => rows.map((item) => ({ item })), [rows]);
  const rowSelection = useMemo<RowSelectionState>(
    () => Object.fromEntries([...(selection?.ids ?? [])].map((id) => [id, true as const])),
    [selection?.ids],
  );
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: ({ item }) => rowId(item),
    state: { rowSelection },
    onRowSelectionChange: (change) => {
      const next = typeof change === "function" ? change(rowSelection) : change;
      selection?.onChange(new Set(Object.keys(next)));
    },
  });
}

interface SelectionTable {
  getIsAllRowsSelected(): boolean;
  toggleAllRowsSelected(value?: boolean): void;
}

function SelectAll(props: { readonly selection: Selection; readonly table: SelectionTable }) {
  const { selection, table } = props;
  const isAll = selection.ids.size > 0 && table.getIsAllRowsSelected();
  return (
    <th className="select-cell">
      <input
        type="checkbox"
        aria-label="Select all on this page"
        checked={isAll}
        onChange={() => table.toggleAllRowsSelected(!isAll)}
      />
    </th>
  );
}

function SelectCell({ selection, id }: { readonly selection: Selection; readonly id: string }) {
  return (
    <td className="select-cell">
      <input
        type="checkbox"
        aria-label={`Select ${selection.name(id)}`}
        checked={selection.ids.has(id)}
        onChange={() => toggle(selection, id)}
      />
    </td>
  );
}

function toggle(selection: Selection | undefined, id: string): void {
  if (selection === undefined) return;
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  selection.onChange(ids);
}
