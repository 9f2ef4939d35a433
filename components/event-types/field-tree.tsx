import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { useFirstRows } from "#components/ui/lists/paging";
import { Badge, StateIcon } from "#components/ui/primitives/badge";
import { RowButton } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { SearchInput } from "#components/ui/primitives/input";
import { RelativeTime } from "#components/ui/relative-time";
import { visible } from "#lib/contracts/api/plain-text";
import type { EventTypeDetail, SchemaField } from "#lib/contracts/event-types";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import { type DocumentedField, documentedWords } from "#lib/contracts/schemas/differences";
import { isWhole, presenceWords } from "#lib/contracts/schemas/learnt-fields";
import { formatWords, isTelling, TYPE_WORDS } from "./event-type-labels.tsx";
import { FieldDetails } from "./field-details.tsx";

type FieldTreeProps = {
  detail: EventTypeDetail;
  documented: { seen: Map<string, DocumentedField>; unseen: Map<string, DocumentedField> };
  /** Differences from what is documented, by path. */
  differing: ReadonlyMap<string, string[]>;
  canManage: boolean;
};

/** More fields than these are shown to their second level at first. */
const MANY = 60;

export function FieldTree({ detail, documented, differing, canManage }: FieldTreeProps) {
  const fields = useMemo(() => detail.tree.filter(({ parent }) => parent !== null), [detail.tree]);
  const holders = useMemo(() => new Set(fields.map(({ parent }) => parent)), [fields]);
  const [closed, setClosed] = useState(() => initiallyClosed(fields, holders));
  const [opened, setOpened] = useState<string | null>(null);
  const [find, setFind] = useState("");
  const needle = find.trim().toLowerCase();
  const visible =
    needle === "" ? fields.filter((field) => isShown(field, closed)) : fields.filter(({ path }) => path.toLowerCase().includes(needle));
  const { shown, more } = useFirstRows(visible);
  const unseen = [...documented.unseen].filter(([path]) => path.toLowerCase().includes(needle));
  const toggle = (path: string) => setClosed((before) => (before.has(path) ? without(before, path) : new Set([...before, path])));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="w-64">
          <SearchInput label="Find a field" value={find} onChange={({ target }) => setFind(target.value)} />
        </div>
        <RowButton onClick={() => setClosed(closed.size === 0 ? new Set(holdersIn(fields, holders)) : new Set())}>
          {closed.size === 0 ? "Collapse all" : "Expand all"}
        </RowButton>
        <span role="status" className="text-12 text-muted">
          {needle === "" ? countWords(fields.length, "field") : `${formatNumber(visible.length)} of ${countWords(fields.length, "field")}`}
        </span>
      </div>
      <Table label="Fields">
        <TableHead>
          <HeadCell>Field</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell>Present</HeadCell>
          <HeadCell className={WIDE}>Seen</HeadCell>
          <HeadCell align="right" className={WIDE}>
            First seen
          </HeadCell>
        </TableHead>
        <TableBody>
          {shown.map((field) => (
            <FieldRows
              key={field.path}
              field={field}
              flat={needle !== ""}
              holds={holders.has(field.path)}
              closed={closed.has(field.path)}
              onToggle={() => toggle(field.path)}
              documented={documented.seen.get(field.path)}
              differing={differing.get(field.path) ?? []}
              opened={opened === field.path}
              onOpen={() => setOpened(opened === field.path ? null : field.path)}
              typeId={detail.id}
              canManage={canManage}
            />
          ))}
          {unseen.map(([path, said]) => (
            <UnseenRow key={path} path={path} said={said} />
          ))}
        </TableBody>
      </Table>
      {more}
      {detail.fieldsLeftOut ? (
        <p className="text-12 text-muted">Only the first 400 fields are kept. If keys are data, say so at the field that holds them.</p>
      ) : null}
    </div>
  );
}

const WIDE = "max-rail:hidden";

const holdersIn = (fields: SchemaField[], holders: ReadonlySet<string | null>) =>
  fields.filter(({ path }) => holders.has(path)).map(({ path }) => path);

const initiallyClosed = (fields: SchemaField[], holders: ReadonlySet<string | null>): ReadonlySet<string> =>
  new Set(
    fields.length <= MANY
      ? []
      : holdersIn(fields, holders).filter((path) => (fields.find((field) => field.path === path)?.depth ?? 0) >= 2),
  );

function without<T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const rest = new Set(set);
  rest.delete(one);
  return rest;
}

/** A field whose holder is closed, or one that holds that, is not shown. Paths begin with those of their holders. */
const isShown = ({ path, parent }: SchemaField, closed: ReadonlySet<string>): boolean =>
  ![...closed].some((holder) => parent === holder || path.startsWith(`${holder}.`) || path.startsWith(`${holder}[`));

/** Whole classes, which the stylesheet is made of. */
const INDENTS = ["pl-0", "pl-4", "pl-8", "pl-12", "pl-16", "pl-20", "pl-24", "pl-28", "pl-32"];

type FieldRowsProps = {
  field: SchemaField;
  /** Found by a search: shown with its whole path. */
  flat: boolean;
  holds: boolean;
  closed: boolean;
  onToggle: () => void;
  documented: DocumentedField | undefined;
  differing: string[];
  opened: boolean;
  onOpen: () => void;
  typeId: string;
  canManage: boolean;
};

function FieldRows(props: FieldRowsProps) {
  const { field, flat, holds, closed, onToggle, differing, opened, onOpen } = props;
  const indent = flat ? INDENTS[0] : (INDENTS[field.depth - 1] ?? INDENTS.at(-1));
  const label = flat ? field.path : nameWords(field);
  return (
    <>
      <Row selected={opened}>
        <Cell className="w-2/5 min-w-36 max-w-0">
          <div className={cn("flex min-w-0 items-center gap-0.5", indent)}>
            {holds && !flat ? (
              <button
                type="button"
                aria-expanded={!closed}
                aria-label={`${closed ? "Expand" : "Collapse"} ${field.path}`}
                onClick={onToggle}
                className="flex size-6 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-text"
              >
                <ChevronRight className={cn("size-3 transition-transform", !closed && "rotate-90")} />
              </button>
            ) : (
              <span className="w-6 shrink-0" />
            )}
            <button
              type="button"
              aria-expanded={opened}
              title={visible(field.path)}
              onClick={onOpen}
              className="min-h-6 min-w-0 truncate rounded-sm text-left font-mono text-12 text-accent-text hover:underline"
            >
              {visible(label)}
            </button>
            {field.settings.ignored ? <Badge className="ml-1.5">ignored</Badge> : null}
          </div>
        </Cell>
        <Cell className="max-w-40 truncate max-rail:max-w-24" title={typesOfField(field)}>
          {typesOfField(field)}
        </Cell>
        <Cell className={cn("tabular-nums max-rail:whitespace-normal", field.present < field.seen && "text-muted")}>
          <span className="inline-flex items-center gap-1.5">
            {presenceWords(field)}
            {differing.length === 0 ? null : (
              <span title={differing.join("\n")}>
                <StateIcon state="attention" />
                <span className="sr-only">differs from what is documented</span>
              </span>
            )}
          </span>
        </Cell>
        <Cell className={`w-2/5 max-w-0 truncate text-muted ${WIDE}`} title={seenWords(field)}>
          {seenWords(field)}
        </Cell>
        <Cell align="right" className={`text-muted ${WIDE}`}>
          <RelativeTime at={field.first.at} />
        </Cell>
      </Row>
      {opened ? (
        <tr>
          <td colSpan={5} className="border-b border-line bg-sunken p-0">
            <FieldDetails {...props} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function nameWords({ key, path }: SchemaField): string {
  if (path.endsWith("[]")) return "[] any element";
  return path.endsWith(".*") ? "* any key" : key;
}

export const typesOfField = (field: SchemaField): string =>
  field.types.map(({ type }) => (type === "number" && isWhole(field) ? "whole number" : TYPE_WORDS[type])).join(", ") || "unknown";

/** What was seen of a field, on one line: values, else formats, else sizes. */
function seenWords({ values, formats, length, elements, number }: SchemaField): string {
  if (values) return values.map(({ value }) => value).join(", ");
  const telling = formats.filter(({ format }) => isTelling(format)).map(({ format }) => formatWords(format));
  const range = (bounds: { min: unknown; max: unknown } | null, unit: string) =>
    bounds === null ? [] : [bounds.min === bounds.max ? `${bounds.max}${unit}` : `${bounds.min} to ${bounds.max}${unit}`];
  return [
    ...telling,
    ...range(number, ""),
    ...range(elements, " elements"),
    ...(telling.length > 0 ? [] : range(length, " characters")),
  ].join(", ");
}

function UnseenRow({ path, said }: { path: string; said: DocumentedField }) {
  return (
    <Row>
      <Cell className="w-2/5 min-w-36 max-w-0" title={path}>
        <span className="block truncate pl-6 font-mono text-12 text-muted">{path.replace(/^data\./, "")}</span>
      </Cell>
      <Cell className="max-w-40 truncate text-muted max-rail:max-w-24" title={documentedWords(said)}>
        {documentedWords(said)}
      </Cell>
      <Cell colSpan={3} className="max-rail:whitespace-normal">
        <span className="inline-flex items-center gap-1.5 text-muted">
          <StateIcon state={said.required ? "attention" : "neutral"} />
          Documented, never seen
        </span>
      </Cell>
    </Row>
  );
}
