"use client";

import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { FieldSource } from "#components/views/detail/field-source";
import { FieldValue, isBlock } from "#components/views/detail/field-value";
import type { ViewDetail, ViewField } from "#lib/contracts/views";
import { fieldLabel, groupFields } from "./field-labels.tsx";

export function DetailList({ view }: { view: ViewDetail }) {
  const { known, rest } = groupFields(Object.keys(view.fields));
  return (
    <>
      <Section title="Details">
        {known.length === 0 ? (
          <p className="text-13 text-muted">The events so far contain only its ID.</p>
        ) : (
          <Details view={view} fields={known} />
        )}
      </Section>
      {rest.length === 0 ? null : (
        <Section title="Other platform fields" description={restWords(view, rest.length)}>
          <Details view={view} fields={rest} />
        </Section>
      )}
    </>
  );
}

function Details({ view, fields }: { view: ViewDetail; fields: string[] }) {
  const titles = new Map(view.events.map((event) => [event.id, event.title]));
  const items = fields.flatMap((name) => {
    const field = view.fields[name];
    if (!field) return [];
    const source = { field, names: view.names, title: titles.get(field.eventId), forgotten: view.forgotten.includes(field.eventId) };
    return [{ label: fieldLabel(name), value: <Detail name={name} {...source} />, block: isBlock(field.value) }];
  });
  return <KeyValueList items={items} className="border-t border-line" />;
}

/** A record keeps a limited number of these fields; the page then says where the others are. */
const restWords = ({ fieldsLeftOut }: ViewDetail, shown: number) =>
  fieldsLeftOut
    ? `Shown with the platform's field names. Showing ${shown} of more than ${shown} fields; the full payload is on each event.`
    : "Shown with the platform's field names.";

type DetailProps = { name: string; field: ViewField; names: ViewDetail["names"]; title: string | undefined; forgotten: boolean };

function Detail({ name, field, names, ...source }: DetailProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1 break-words">
        <FieldValue field={name} value={field.value} names={names} />
      </div>
      <div className="-my-1 shrink-0">
        <FieldSource label={fieldLabel(name)} field={field} {...source} />
      </div>
    </div>
  );
}
