import { History } from "lucide-react";
import { ResourceId, ResourceName } from "#components/records/resource-id";
import { CodeBlock } from "#components/ui/code-block";
import { JsonView } from "#components/ui/json-view";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { Popover } from "#components/ui/overlay/popover";
import { IconButton } from "#components/ui/primitives/icon-button";
import { ExactTime, RelativeTime } from "#components/ui/relative-time";
import { durationWords } from "#components/ui/time-format";
import { shareWords, sizeWords, stateWord, timeOf, viewHref } from "#components/views/view-labels";
import { visible } from "#lib/contracts/api/plain-text";
import { isExactNumber } from "#lib/contracts/exact-json";
import { doubleOf, idText } from "#lib/contracts/exact-numbers";
import type { ViewDetail, ViewField, ViewRecord } from "#lib/contracts/views";
import { fieldForm, fieldLabel, groupFields } from "./field-labels.tsx";

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
        <Section
          title={view.fields.source ? "Other fields of the sender" : "Other platform fields"}
          description={restWords(view, rest.length)}
        >
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
function restWords({ fieldsLeftOut, fields }: ViewDetail, shown: number): string {
  const words = `Shown with the ${fields.source ? "sender" : "platform"}'s field names.`;
  return fieldsLeftOut ? `${words} Showing ${shown} of more than ${shown} fields; the full payload is on each event.` : words;
}

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

const LONG_TEXT = 400;

const isBlock = (value: unknown): boolean =>
  (typeof value === "object" && value !== null && !isExactNumber(value)) || (typeof value === "string" && value.length > LONG_TEXT);

/** Shows any value that the platform sent. `names` has the names of linked records. */
export function FieldValue({ field, value, names = {} }: { field: string; value: unknown; names?: ViewRecord["names"] }) {
  if (value === null || value === undefined || value === "") return <span className="text-faint">Empty</span>;
  if (typeof value === "object" && !isExactNumber(value)) return <JsonView value={value} label={fieldLabel(field)} defaultDepth={1} />;
  const form = fieldForm(field);
  if (form === "state") return stateWord(String(value));
  if (form === "time") return <Moment value={value} />;
  if (form === "document" || form === "pipeline" || form === "automation") {
    const id = idText(value) ?? String(value);
    return <ResourceName resource={{ id, name: names[`${form}:${id}`] }} href={viewHref(form, id)} />;
  }
  if (form === "size") return sizeWords(value);
  if (form === "share") return shareWords(value);
  const double = doubleOf(value);
  if (form === "duration" && double !== undefined) return durationWords(double);
  const text = String(value);
  return text.length > LONG_TEXT ? <CodeBlock code={text} label={fieldLabel(field)} /> : <bdi>{visible(text)}</bdi>;
}

function Moment({ value }: { value: unknown }) {
  const at = timeOf(value);
  if (at === null) return visible(String(value));
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <ExactTime at={at} />
      <RelativeTime at={at} className="text-12 text-muted" />
    </span>
  );
}

type FieldSourceProps = { label: string; field: ViewField; title: string | undefined; forgotten: boolean };

/** Shows the event that set a field and the platform's time of it, or that the event has been deleted. */
function FieldSource({ label, field, title, forgotten }: FieldSourceProps) {
  const button = <IconButton size="sm" label={`Event that set ${label}`} icon={<History className="text-faint" />} />;
  return (
    <Popover trigger={button} label={`Event that set ${label}`} align="end">
      <div className="flex flex-col gap-1 text-13">
        <p className="font-medium">
          Set by {forgotten ? "an event that retention has deleted" : title === undefined ? "an earlier event" : `“${title}”`}
        </p>
        <p>
          <ResourceId id={field.eventId} {...(forgotten ? {} : { href: `/events/${encodeURIComponent(field.eventId)}` })} />
        </p>
        <p className="text-12 text-muted">
          Created by the platform <ExactTime at={field.at} />
        </p>
      </div>
    </Popover>
  );
}
