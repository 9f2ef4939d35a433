import type { ReactNode } from "react";
import { ResourceId, shortId } from "#components/records/resource-id";
import { tellOutcome } from "#components/ui/feedback/toast";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { StateIcon } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { useEventTypeActions } from "#lib/client/queries/event-types";
import type { EventPlace, SchemaField } from "#lib/contracts/event-types";
import { formatNumber } from "#lib/contracts/format-count";
import { type DocumentedField, documentedWords } from "#lib/contracts/schemas/differences";
import { occurrencesOf, presenceWords } from "#lib/contracts/schemas/learnt-fields";
import { eventHref, formatWords, isTelling, TYPE_WORDS } from "./event-type-labels.tsx";

type FieldDetailsProps = {
  field: SchemaField;
  documented: DocumentedField | undefined;
  differing: string[];
  typeId: string;
  canManage: boolean;
};

type Counted = { words: string; count: number; first: EventPlace; last: EventPlace };

/** What is known of one field, with the first and the last event of each thing. */
export function FieldDetails({ field, documented, differing, typeId, canManage }: FieldDetailsProps) {
  const { types, formats, values, length, elements, number } = field;
  const telling = formats.filter(({ format }) => isTelling(format));
  const range = (bounds: { min: unknown; max: unknown } | null, unit: string) =>
    bounds === null ? null : `${bounds.min === bounds.max ? bounds.max : `${bounds.min} to ${bounds.max}`}${unit}`;
  const items: { label: string; value: ReactNode }[] = [
    { label: "Path", value: <ResourceId id={field.path} whole /> },
    ...(documented ? [{ label: "Documented", value: <Documented documented={documented} differing={differing} /> }] : []),
    {
      label: "Present",
      value: (
        <span>
          {`${presenceWords(field)}${field.present === field.seen ? "" : ` (${formatNumber(field.present)} of ${formatNumber(field.seen)})`}. First `}
          <PlaceLink place={field.first} />, last <PlaceLink place={field.last} />.
        </span>
      ),
    },
    {
      label: types.length === 1 ? "Type" : "Types",
      value: <Occurrences of={types.map((each) => ({ ...each, words: TYPE_WORDS[each.type] }))} />,
    },
    ...(telling.length === 0
      ? []
      : [{ label: "Formats", value: <Occurrences of={telling.map((each) => ({ ...each, words: formatWords(each.format) }))} /> }]),
    ...(values === null ? [] : [{ label: "Values", value: <Occurrences of={values.map((each) => ({ ...each, words: each.value }))} /> }]),
    ...sizes({ Length: range(length, " characters"), Elements: range(elements, ""), Numbers: range(number, "") }),
  ];
  return (
    <div className="flex flex-col gap-2 px-3 py-2">
      <KeyValueList items={items} />
      {canManage ? <FieldActions field={field} typeId={typeId} /> : null}
    </div>
  );
}

const sizes = (words: Record<string, string | null>) =>
  Object.entries(words).flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));

function Documented({ documented, differing }: { documented: DocumentedField; differing: string[] }) {
  return (
    <div className="flex flex-col gap-0.5">
      <span>{documentedWords(documented)}</span>
      {differing.map((words) => (
        <span key={words} className="flex items-center gap-1.5">
          <StateIcon state="attention" />
          {words}
        </span>
      ))}
      {documented.schema.description === undefined ? null : <span className="text-12 text-muted">{documented.schema.description}</span>}
    </div>
  );
}

function Occurrences({ of }: { of: Counted[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {of.map(({ words, count, first, last }) => (
        <li key={words} className="flex flex-wrap items-baseline gap-x-2">
          <span className="break-all font-medium">{words}</span>
          <span className="text-muted tabular-nums">{formatNumber(count)}</span>
          <span className="text-12 text-muted">
            first <PlaceLink place={first} />
            {first.id === last.id ? null : (
              <>
                , last <PlaceLink place={last} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function PlaceLink({ place }: { place: EventPlace }) {
  return (
    <>
      <TextLink href={eventHref(place.id)} className="font-mono text-12">
        {shortId(place.id)}
      </TextLink>{" "}
      <RelativeTime at={place.at} className="text-12 text-muted" />
    </>
  );
}

function FieldActions({ field, typeId }: { field: SchemaField; typeId: string }) {
  const { change } = useEventTypeActions(typeId);
  const { path, settings, values } = field;
  const toggle = (setting: keyof typeof settings, label: string, done: string) => {
    const set = () => tellOutcome(change.mutateAsync({ path, [setting]: !settings[setting] }), done, "Couldn't change the field");
    return (
      <Button size="sm" disabled={change.isPending} onClick={set}>
        {label}
      </Button>
    );
  };
  const isObject = occurrencesOf(field, "object") !== undefined;
  return (
    <div className="flex flex-wrap gap-2 pb-1">
      {settings.ignored
        ? toggle("ignored", "Watch drift of this field", "Drift is watched again")
        : toggle("ignored", "Ignore drift of this field", "Drift is ignored")}
      {settings.map
        ? toggle("map", "Its keys are fields", "Keys are fields")
        : isObject && toggle("map", "Its keys are data", "Keys are data")}
      {settings.notEnumeration
        ? toggle("notEnumeration", "May be an enumeration", "Values are kept again")
        : values !== null && toggle("notEnumeration", "Not an enumeration", "Values are no longer kept")}
    </div>
  );
}
