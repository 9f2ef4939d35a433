import type { EventAnswer, GivenChallenge } from "#lib/contracts/sources/challenge-settings";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import { type EventReading, hmacSettings, jwtSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SenderProof, SourceRecords } from "#lib/contracts/sources/templates";
import { hmacScheme } from "../hmac.ts";
import { jwtScheme } from "../jwt.ts";
import type { Scheme } from "../scheme.ts";
import { basicScheme, networkScheme, tokenScheme } from "../unsigned-schemes.ts";

export type Template = {
  title: string;
  scheme: (settings: SchemeSettings) => Scheme;
  takes?: keyof SchemeSettings;
  /** Null for the platform's envelope (docs/platform.md). */
  reading: EventReading | null;
  records: SourceRecords;
  /** What its events become, where `records` is `documents` or `generic` and the source says nothing else. */
  record?: RecordSettings;
  /** Place in the data of what tells events of one type apart: each has a schema of its own. */
  variant?: string;
  /** What it asks before it sends; the first that fits a request is answered. */
  challenges?: readonly GivenChallenge[];
  /** What it looks for in the answer to an event; ours unless given. */
  answer?: EventAnswer;
  /** URL in a verified message that a worker visits, so that the sender begins to send; null for any other. */
  confirmation?: (body: Uint8Array) => string | null;
  /** More headers that the sender's own library needs. */
  alsoSends?: readonly string[];
  secretHint: string;
  /** When it tries again. */
  retries?: string;
  /** 0: never; absent if the sender doesn't say. */
  retryHours?: number;
  docsUrl: string | null;
  /** Seconds within which it wants its answer. */
  answerWithin?: number;
  /** The sender makes the secret: none can be generated here; or `usually`, and one can be given to it. */
  issuesSecret?: true | "usually";
  /** What it was checked against, of a sender that is a file: its documentation, unless given. */
  proof?: SenderProof;
  /** Where its facts are from; its documentation, unless given. Those of a sender that is no file have none. */
  facts?: readonly string[];
  /** What could not be checked against anything that the sender made. */
  unchecked?: readonly string[];
};

export const hmac = (settings: Parameters<typeof hmacSettings.parse>[0], options: Parameters<typeof hmacScheme>[1]): (() => Scheme) => {
  const scheme = hmacScheme(hmacSettings.parse(settings), options);
  return () => scheme;
};

type Schemed = Pick<Template, "scheme" | "takes">;

/** A secret in a header of the sender's. */
export function token(header: string): () => Scheme {
  const scheme = tokenScheme({ header, prefix: "" });
  return () => scheme;
}

/** A secret in a header that its owner names. */
export const ownToken = (header: string, prefix = ""): Schemed => ({
  scheme: ({ token: settings }) => tokenScheme(settings ?? { header, prefix }),
  takes: "token",
});

export const basic: Schemed = { scheme: () => basicScheme() };

export const network: Schemed = { scheme: ({ network: settings }) => networkScheme(settings ?? { networks: [] }), takes: "network" };

export function jwt(settings: Parameters<typeof jwtSettings.parse>[0]): () => Scheme {
  const scheme = jwtScheme(jwtSettings.parse(settings));
  return () => scheme;
}

/** A token whose keys stand where its owner says. */
export const ownJwt = (settings: Parameters<typeof jwtSettings.parse>[0]): Schemed => ({
  scheme: ({ jwt: given }) => jwtScheme(given ?? jwtSettings.parse(settings)),
  takes: "jwt",
});
