import type { EventAnswer, GivenChallenge } from "#lib/contracts/sources/challenge-settings";
import { type EventReading, hmacSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords } from "#lib/contracts/sources/templates";
import { hmacScheme } from "../hmac.ts";
import type { Scheme } from "../scheme.ts";

export type Template = {
  title: string;
  scheme: (settings: SchemeSettings) => Scheme;
  takes?: keyof SchemeSettings;
  /** Null for the platform's envelope (docs/platform.md). */
  reading: EventReading | null;
  records: SourceRecords;
  /** What it asks before it sends; the first that fits a request is answered. */
  challenges?: readonly GivenChallenge[];
  /** What it looks for in the answer to an event; ours unless given. */
  answer?: EventAnswer;
  /** URL in a verified message that a worker visits, so that the sender begins to send; null for any other. */
  confirmation?: (body: Uint8Array) => string | null;
  /** More headers that the sender's own library needs. */
  alsoSends?: readonly string[];
  secretHint: string;
  retries: string;
  /** 0: never; absent if the sender doesn't say. */
  retryHours?: number;
  docsUrl: string | null;
};

export const hmac = (settings: Parameters<typeof hmacSettings.parse>[0], options: Parameters<typeof hmacScheme>[1]): (() => Scheme) => {
  const scheme = hmacScheme(hmacSettings.parse(settings), options);
  return () => scheme;
};

export const NOT_SAID = "Not documented by the sender.";
