import { ResourceId, ResourceName } from "#components/records/resource-id";
import { ViewStateBadge } from "#components/records/view-state-badge";
import { Cell, RowLink } from "#components/ui/layout/table";
import { TextLink } from "#components/ui/layout/text-link";
import { RelativeTime } from "#components/ui/relative-time";
import { writeJson } from "#lib/contracts/exact-json";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { KIND_WORDS, shareWords, viewHref } from "./view-labels.tsx";

type Of = { record: ViewRecord };

export const EmptyValue = () => <span className="text-faint">–</span>;

export function StateCell({ record }: Of) {
  return (
    <Cell className="min-[700px]:w-32">
      <span className="inline-flex max-w-40 align-middle">
        <ViewStateBadge quiet state={record.state} failed={record.failed} />
      </span>
      <SenderState record={record} className="block max-w-40 truncate" />
    </Cell>
  );
}

/** The sender's own word for the state, where it is another platform's document. */
export function SenderState({ record, className = "" }: Of & { className?: string }) {
  const word = record.fields.senderState?.value;
  return typeof word === "string" ? (
    <span className={`text-12 text-faint ${className}`} title={`The sender's word: ${word}`}>
      {word}
    </span>
  ) : null;
}

/** Links the row by name, or by "Unnamed" with the ID if no column has the ID. */
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

export function RunCell({ record }: Of) {
  return (
    <Cell>
      <RowLink href={viewHref(record.kind, record.id)}>
        <ResourceId id={record.id} inert />
      </RowLink>
    </Cell>
  );
}

export function TextCell({ text, roomy = false }: { text: string | null; roomy?: boolean }) {
  return (
    <Cell className={`truncate text-muted ${roomy ? "max-w-64" : "max-w-32"}`} {...(text ? { title: text } : {})}>
      {text === null ? <EmptyValue /> : <span className="relative z-1">{text}</span>}
    </Cell>
  );
}

export function NumberCell({ text }: { text: string | null }) {
  return (
    <Cell align="right" className="text-muted tabular-nums">
      {text ?? <EmptyValue />}
    </Cell>
  );
}

export function TimeCell({ at }: { at: string | null }) {
  return (
    <Cell align="right" className="text-muted">
      {at ? <RelativeTime at={at} /> : <EmptyValue />}
    </Cell>
  );
}

export function LinkCell({ kind, id, name }: { kind: ViewKind; id: string | null; name: string | undefined }) {
  return (
    <Cell className="max-w-48">{id === null ? <EmptyValue /> : <ResourceName resource={{ id, name }} href={viewHref(kind, id)} />}</Cell>
  );
}

export function AssigneeCell({ name }: { name: string | null }) {
  return (
    <Cell className="max-w-32 truncate text-muted" {...(name ? { title: name } : {})}>
      {name === null ? (
        <EmptyValue />
      ) : (
        <TextLink href={`/tasks?assignee=${encodeURIComponent(name)}`} className="relative z-1">
          {name}
        </TextLink>
      )}
    </Cell>
  );
}

export function ClassificationCell({ record }: Of) {
  const { classification, confidence } = record.fields;
  const share = shareWords(confidence?.value);
  const word = classification?.value;
  return (
    <Cell className="max-w-52">
      {word === undefined ? (
        <EmptyValue />
      ) : (
        <span className="flex items-baseline gap-1.5">
          <span className="relative z-1 truncate text-muted" title={String(word)}>
            {typeof word === "string" ? word : writeJson(word)}
          </span>
          {share === null ? null : <span className="shrink-0 text-12 text-faint">{share}</span>}
        </span>
      )}
    </Cell>
  );
}
