import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { NO_MAPPING } from "../field-names.ts";
import { TEMPLATES } from "../schemes/templates.ts";

/** Reading of a source's events, and the records made of them. */
export type SourceReading = {
  /** `platform`: an event's type means what platform-spec says. To the others it means nothing beside the log. */
  records: SourceRecords;
  /** The records that `generic` makes of it, and the source's name, which keeps their IDs apart; null for the others. */
  record: GenericRecords | null;
  mapping: FieldMapping;
  /** Places of the parts of another sender's events; null for the platform's envelope. */
  event: EventReading | null;
};

export type GenericRecords = RecordSettings & { source: string };

/** Of a platform source without a field mapping. One object, so that what is derived of it is derived once. */
export const PLATFORM_READING: SourceReading = { records: "platform", record: null, mapping: NO_MAPPING, event: null };

/** The readings of some sources, by their IDs; one that is not among them is the platform's. */
export type SourceReadings = ReadonlyMap<string, SourceReading>;

/** A source's reading as it is stored; null for the template's own. */
export type StoredReading = {
  name: string;
  template: SourceTemplateName;
  records: SourceRecords;
  record: RecordSettings | null;
  reading: EventReading | null;
  mapping: FieldMapping;
};

/** Returns how a source is read: its own reading before its template's. */
export const readingOfStored = ({ name, template, records, record, reading, mapping }: StoredReading): SourceReading => ({
  records,
  record: records === "generic" && record !== null ? { ...record, source: name } : null,
  mapping,
  event: reading ?? TEMPLATES[template].reading,
});

/** Returns how the events of a source are read. */
export const readingOf = (readings: SourceReadings, sourceId: string): SourceReading => readings.get(sourceId) ?? PLATFORM_READING;
