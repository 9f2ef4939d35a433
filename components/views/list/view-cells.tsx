"use client";

import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { Cell, RowLink } from "#components/ui/table";
import { TextLink } from "#components/ui/text-link";
import { ViewStateBadge } from "#components/ui/view-state-badge";
import { shareWords } from "#components/views/field-text";
import { KIND_WORDS, viewHref } from "#components/views/view-words";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";

type Of = { record: ViewRecord };

/** What no event has said yet. */
export const Unsaid = () => <span className="text-faint">–</span>;

export function StateCell({ record }: Of) {
  return (
    <Cell className="min-[700px]:w-32">
      <span className="inline-flex max-w-40 align-middle">
        <ViewStateBadge state={record.state} failed={record.failed} />
      </span>
    </Cell>
  );
}

/** The row's link: the name, or words that there is none, with the id where no column has it. */
export function NameCell({ record }: Of) {
  const named = record.label !== record.id;
  return (
    <Cell className="w-2/5 max-w-0 min-[700px]:min-w-40 max-[700px]:w-full max-[700px]:whitespace-normal max-[700px]:py-2">
      <RowLink
        href={viewHref(record.kind, record.id)}
        className="block truncate max-[700px]:line-clamp-2 max-[700px]:whitespace-normal max-[700px]:break-words"
      >
        {named ? (
          <span title={record.label}>{record.label}</span>
        ) : (
          <span className="whitespace-nowrap font-normal text-muted">
            Unnamed {KIND_WORDS[record.kind].one}
            <ResourceId
              id={record.id}
              inert
              className={`ml-2 max-[700px]:ml-0 max-[700px]:block ${record.kind === "task" ? "" : "min-[700px]:hidden"}`}
            />
          </span>
        )}
      </RowLink>
    </Cell>
  );
}

export function IdCell({ record }: Of) {
  return (
    <Cell>
      <ResourceId id={record.id} />
    </Cell>
  );
}

/** A run has no name of its own: its id is the row's link. */
export function RunCell({ record }: Of) {
  return (
    <Cell>
      <RowLink href={viewHref(record.kind, record.id)}>
        <ResourceId id={record.id} inert />
      </RowLink>
    </Cell>
  );
}

/** A fact in one line, cut where it is longer than its column. */
export function TextCell({ text, roomy = false }: { text: string | null; roomy?: boolean }) {
  return (
    <Cell className={`truncate text-muted ${roomy ? "max-w-64" : "max-w-32"}`} {...(text ? { title: text } : {})}>
      {text === null ? <Unsaid /> : text}
    </Cell>
  );
}

export function NumberCell({ text }: { text: string | null }) {
  return (
    <Cell align="right" className="text-muted tabular-nums">
      {text ?? <Unsaid />}
    </Cell>
  );
}

export function TimeCell({ at }: { at: string | null }) {
  return (
    <Cell align="right" className="text-muted">
      {at ? <RelativeTime at={at} /> : <Unsaid />}
    </Cell>
  );
}

/** A record that this one speaks of. */
export function LinkCell({ kind, id }: { kind: ViewKind; id: string | null }) {
  return <Cell>{id === null ? <Unsaid /> : <ResourceId id={id} href={viewHref(kind, id)} />}</Cell>;
}

/** Who has a task; a press lists all that they have. */
export function AssigneeCell({ name }: { name: string | null }) {
  return (
    <Cell className="max-w-32 truncate text-muted" {...(name ? { title: name } : {})}>
      {name === null ? (
        <Unsaid />
      ) : (
        <TextLink href={`/tasks?assignee=${encodeURIComponent(name)}`} className="relative z-1">
          {name}
        </TextLink>
      )}
    </Cell>
  );
}

/** A task's classification with how sure it is. */
export function ClassificationCell({ record }: Of) {
  const { classification, confidence } = record.fields;
  const share = shareWords(confidence?.value);
  const word = classification?.value;
  return (
    <Cell className="max-w-36">
      {word === undefined ? (
        <Unsaid />
      ) : (
        <span className="flex items-baseline gap-1.5">
          <span className="truncate text-muted" title={String(word)}>
            {typeof word === "string" ? word : JSON.stringify(word)}
          </span>
          {share === null ? null : <span className="shrink-0 text-12 text-faint">{share}</span>}
        </span>
      )}
    </Cell>
  );
}
