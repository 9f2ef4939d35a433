import * as z from "zod/mini";
import { isDay, isMoment, isStorableText } from "./bounds.ts";

/** Returns the schema of every text in a path, query or body: U+0000 or a lone surrogate would end as an error 500. */
export const text = (max: number) =>
  z.string().check(z.refine(isStorableText, { error: "must not contain U+0000 or an unpaired surrogate" }), z.maxLength(max));

export const nameText = (max: number, error?: string) => text(max).check(z.trim(), z.minLength(1, error));

const error = "must be an ISO 8601 time with a time zone, in the years 1 to 9999, for example 2026-01-31T12:00:00Z";

export const moment = z.iso.datetime({ offset: true, abort: true, error }).check(z.refine(isMoment, { error }));

/** A day stands for its first moment UTC. */
export const momentOrDay = z.string().check(z.refine((value) => isMoment(value) || isDay(value), { error }));

/** Ours, or the platform's as it came. A record's has at most 400 characters. */
export const idText = text(1000).check(z.minLength(1));
