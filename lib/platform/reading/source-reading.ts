import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { NO_MAPPING } from "../field-names.ts";
import { TEMPLATES } from "../schemes/templates.ts";

/** How the events of a source are read, and what becomes of them. */
export type SourceReading = {
  /** `platform`: an event's type means what platform-spec says. `none`: it means nothing beside the log. */
  records: SourceRecords;
  mapping: FieldMapping;
  /** Where another sender's events hold their parts; null for the platform's envelope. */
  event: EventReading | null;
};

/** Of a platform source without a field mapping. One object, so that what is derived of it is derived once. */
export const PLATFORM_READING: SourceReading = { records: "platform", mapping: NO_MAPPING, event: null };

/** The readings of some sources, by their IDs; one that is not among them is the platform's. */
export type SourceReadings = ReadonlyMap<string, SourceReading>;

/** A source's reading as it is stored; null for the template's own. */
type StoredReading = { template: SourceTemplateName; records: SourceRecords; reading: EventReading | null; mapping: FieldMapping };

/** Returns how a source is read: its own reading before its template's. */
export const readingOfStored = ({ template, records, reading, mapping }: StoredReading): SourceReading => ({
  records,
  mapping,
  event: reading ?? TEMPLATES[template].reading,
});

/** Returns how the events of a source are read. */
export const readingOf = (readings: SourceReadings, sourceId: string): SourceReading => readings.get(sourceId) ?? PLATFORM_READING;
