import { type EventReading, hmacSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords } from "#lib/contracts/sources/templates";
import { hmacScheme } from "../hmac.ts";
import type { Scheme } from "../scheme.ts";
import type { Challenge } from "./challenges.ts";

/** A known sender: how it signs, where its events' parts stand, and what it does when a request fails. */
export type Template = {
  title: string;
  /** Made with the settings of the source where the template takes some. */
  scheme: (settings: SchemeSettings) => Scheme;
  /** Which of the settings it needs. */
  takes?: keyof SchemeSettings;
  /** Null: the platform's envelope (platform-spec). */
  reading: EventReading | null;
  records: SourceRecords;
  /** The sender's question whether somebody listens. */
  challenge?: Challenge;
  /** Headers beside those of `scheme` and `reading` that the sender's own library asks for. */
  alsoSends?: readonly string[];
  secretHint: string;
  retries: string;
  /** For how many hours it tries again; 0: never; left out where the sender doesn't say. */
  retryHours?: number;
  docsUrl: string | null;
};

/** A scheme without settings of the source. */
export const hmac = (settings: Parameters<typeof hmacSettings.parse>[0], options: Parameters<typeof hmacScheme>[1]): (() => Scheme) => {
  const scheme = hmacScheme(hmacSettings.parse(settings), options);
  return () => scheme;
};

export const NOT_SAID = "Not documented by the sender.";
