import * as z from "zod/mini";
import { text } from "../api/parameters.ts";
import { OF_CONNECTION, OF_PROXIES } from "../http-headers.ts";

const MAX_HEADERS = 20;
const MAX_NAME = 200;
/** Of all names and values together, in bytes. */
const MAX_SIZE = 8192;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with blanks between: what is beyond it (obs-text) each server reads in its own way. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/;

const RESERVED: [names: RegExp, why: string][] = [
  [OF_CONNECTION, "belongs to the connection or frames the request"],
  [/^content-encoding$/i, "says how the body is coded: it is sent as it is"],
  [/^(accept|accept-encoding|content-type|traceparent|tracestate|user-agent)$/i, "is set by Signalbox"],
  [/^((x-)?signalbox-.*|webhook-.*|x-webhook-signature)$/i, "is set by Signalbox: it signs or names the event"],
  [OF_PROXIES, "is set by proxies on the way"],
  [/^(metadata|metadata-flavor|x-aws-ec2-metadata-.*)$/i, "opens the metadata service of a cloud"],
];

/** Header with which each request to a destination is sent. */
export type OwnHeader = { name: string; value: string };

/** `value` left out: the one that the destination has under this name stays. */
export type GivenHeader = { name: string; value?: string | undefined };

export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

type HeaderProblem = { path: (string | number)[]; message: string };

/** Returns the first thing that keeps headers from being sent, with its place in the list; null if there is none. */
export function findHeaderProblem(headers: readonly GivenHeader[]): HeaderProblem | null {
  if (headers.length > MAX_HEADERS) return { path: [], message: `must be at most ${MAX_HEADERS} headers` };
  for (const [index, { name, value }] of headers.entries()) {
    const why = problemOfName(name) ?? (headers.findIndex((each) => sameName(each.name, name)) < index ? TWICE : null);
    if (why !== null) return { path: [index, "name"], message: why };
    if (value !== undefined && !VALUE.test(value)) return { path: [index, "value"], message: problemOfValue(value) };
  }
  const size = headers.reduce((sum, { name, value = "" }) => sum + name.length + value.length, 0);
  return size > MAX_SIZE ? { path: [], message: `must have at most ${MAX_SIZE} characters, names and values together` } : null;
}

const TWICE = "stands twice: upper and lower case make no other name";

function problemOfName(name: string): string | null {
  if (name === "") return "Enter a name";
  if (!TOKEN.test(name)) return "must be letters, digits and dashes, without blanks or a colon";
  const why = RESERVED.find(([names]) => names.test(name))?.[1];
  return why === undefined ? null : `can't be ${name}, which ${why}`;
}

const problemOfValue = (value: string): string =>
  value === "" ? "Enter a value" : "must be visible ASCII characters on one line: other bytes are not read the same everywhere";

/** What is around a value when it is pasted, as a line end, is never part of it (RFC 9110, section 5.5). */
const name = text(MAX_NAME).check(z.trim());
const value = text(MAX_SIZE).check(z.trim());

const checked = z.superRefine((headers: readonly GivenHeader[], context) => {
  const problem = findHeaderProblem(headers);
  if (problem) context.issues.push({ code: "custom", input: headers, ...problem });
});

export const ownHeaders = z.array(z.object({ name, value })).check(checked);

export const givenHeaders = z.array(z.object({ name, value: z.optional(value) })).check(checked);

/** Never the values. */
export const shownHeaders = z.array(z.object({ name: z.string() }));
