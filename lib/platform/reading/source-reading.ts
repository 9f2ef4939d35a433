import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { NO_MAPPING } from "../field-names.ts";
import { TEMPLATES } from "../schemes/templates.ts";

export type SourceReading = {
  /** platform: types mean what docs/platform.md says. Others only go into the log. */
  records: SourceRecords;
  /** Null unless `records` is generic; the source's name keeps the records' IDs apart. */
  record: GenericRecords | null;
  mapping: FieldMapping;
  event: EventReading | null;
};

export type GenericRecords = RecordSettings & { source: string };

/** A platform source without field mapping. One object, so that what is derived from it is derived once. */
export const PLATFORM_READING: SourceReading = { records: "platform", record: null, mapping: NO_MAPPING, event: null };

/** By source ID; missing ones are read as the platform's. */
export type SourceReadings = ReadonlyMap<string, SourceReading>;

export type StoredReading = {
  name: string;
  template: SourceTemplateName;
  records: SourceRecords;
  record: RecordSettings | null;
  reading: EventReading | null;
  mapping: FieldMapping;
};

export const readingOfStored = ({ name, template, records, record, reading, mapping }: StoredReading): SourceReading => ({
  records,
  record: records === "generic" && record !== null ? { ...record, source: name } : null,
  mapping,
  event: reading ?? TEMPLATES[template].reading,
});

export const readingOf = (readings: SourceReadings, sourceId: string): SourceReading => readings.get(sourceId) ?? PLATFORM_READING;
