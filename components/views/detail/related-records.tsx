"use client";

import { ResourceName } from "#components/records/resource-name";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { TextLink } from "#components/ui/layout/text-link";
import { isViewKind, KIND_WORDS, stateWord, viewHref } from "#components/views/view-labels";
import { idText } from "#lib/contracts/json/numbers";
import type { LinkedConnection, ViewDetail } from "#lib/contracts/views";

const SHOWN_OF_A_KIND = 10;

export function RelatedRecords({ view }: { view: ViewDetail }) {
  const related = relatedOf(view);
  const { connection } = view;
  if (related.size === 0 && connection === null) return null;
  const items = [...related].map(([kind, ids]) => ({
    label: isViewKind(kind) ? stateWord(ids.length === 1 ? KIND_WORDS[kind].one : KIND_WORDS[kind].many) : kind,
    value: (
      <ul className="flex flex-col gap-1">
        {ids.slice(0, SHOWN_OF_A_KIND).map((id) => (
          <li key={id}>
            <ResourceName resource={{ id, name: nameOf(view, kind, id) }} href={isViewKind(kind) ? viewHref(kind, id) : null} />
          </li>
        ))}
        {ids.length > SHOWN_OF_A_KIND ? <li className="text-12 text-muted">and {ids.length - SHOWN_OF_A_KIND} more</li> : null}
      </ul>
    ),
  }));
  return (
    <Section title="Related records">
      <KeyValueList items={connection === null ? items : [connectionItem(connection), ...items]} className="border-t border-line" />
    </Section>
  );
}

const connectionItem = ({ id, name }: LinkedConnection) => ({
  label: "Connection",
  value: <TextLink href={`/connections/${id}`}>{name}</TextLink>,
});

function relatedOf(view: ViewDetail): Map<string, string[]> {
  const related = new Map<string, string[]>();
  const add = (kind: string, id: string) => {
    const ids = related.get(kind) ?? [];
    if ((kind === view.kind && id === view.id) || ids.includes(id)) return;
    related.set(kind, [...ids, id]);
  };
  if (view.parent !== null) add(view.kind === "run" ? "automation" : "pipeline", view.parent);
  const documentId = idText(view.fields.documentId?.value);
  if (view.kind === "task" && documentId !== undefined) add("document", documentId);
  for (const { resources } of view.events) for (const { kind, id } of resources) add(kind, id);
  return related;
}

const nameOf = ({ events, names }: ViewDetail, kind: string, id: string): string | undefined =>
  events.flatMap(({ resources }) => resources).find((each) => each.kind === kind && each.id === id && each.name)?.name ??
  names?.[`${kind}:${id}`];
