"use client";

import { KeyValueList } from "#components/ui/key-value-list";
import { Section } from "#components/ui/section";
import { FieldSource } from "#components/views/detail/field-source";
import { FieldValue, isBlock } from "#components/views/detail/field-value";
import { fieldLabel, groupFields } from "#components/views/detail/field-words";
import type { ViewDetail, ViewField } from "#lib/contracts/views";

/** What the events say of one record, each fact with the event that set it. */
export function FactList({ view }: { view: ViewDetail }) {
  const { known, rest } = groupFields(Object.keys(view.fields));
  return (
    <>
      <Section title="Facts">
        {known.length === 0 ? (
          <p className="text-13 text-muted">The events so far say nothing but its id.</p>
        ) : (
          <Facts view={view} fields={known} />
        )}
      </Section>
      {rest.length === 0 ? null : (
        <Section title="Other fields the platform sent" description="Shown under the platform's own names.">
          <Facts view={view} fields={rest} />
        </Section>
      )}
    </>
  );
}

function Facts({ view, fields }: { view: ViewDetail; fields: string[] }) {
  const titles = new Map(view.events.map((event) => [event.id, event.title]));
  const items = fields.flatMap((name) => {
    const field = view.fields[name];
    if (!field) return [];
    const source = { field, title: titles.get(field.eventId), forgotten: view.forgotten.includes(field.eventId) };
    return [{ label: fieldLabel(name), value: <Fact name={name} {...source} />, block: isBlock(field.value) }];
  });
  return <KeyValueList items={items} className="border-t border-line" />;
}

type FactProps = { name: string; field: ViewField; title: string | undefined; forgotten: boolean };

function Fact({ name, field, ...source }: FactProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1 break-words">
        <FieldValue field={name} value={field.value} />
      </div>
      <div className="-my-1 shrink-0">
        <FieldSource label={fieldLabel(name)} field={field} {...source} />
      </div>
    </div>
  );
}
