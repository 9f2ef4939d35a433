import { setTimeout } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { parseExact } from "../../../lib/contracts/exact-json.ts";
import { type Api, ApiFailure, networkCause, type Query } from "./api-client.ts";
import { CliError, EXIT } from "./exit.ts";
import type { Output } from "./terminal.ts";
import { durationWords } from "./time.ts";

/** `first` is false for `ready` after a reconnect. */
export type Frame = { event: string; id: string | null; data: unknown; first: boolean };

type Options = {
  query: Query;
  /** Continues after this place; null for the query's own start. */
  cursor: string | null;
  signal: AbortSignal;
  /** Longest time without a connection until it gives up (exit code 3). Milliseconds, or Infinity. */
  maxOfflineMs: number;
  output: Output;
};

/** The server sends a comment every 15 s: a connection silent for this long is dead. Milliseconds. */
const SILENCE_MS = 30_000;
/** Most characters of one frame: an event of 64 MB takes up to six for each of its own as JSON. */
const MAX_FRAME = 400 * 1_048_576;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/**
 * Yields a stream's frames across reconnects, each connection continuing after the last frame taken. Errors that retrying can't fix
 * (a wrong key, an unknown URL) are thrown. @throws CliError with exit code 3 after `maxOfflineMs` without a connection
 */
export async function* followStream(api: Api, path: string, options: Options): AsyncGenerator<Frame> {
  const { signal, maxOfflineMs, output } = options;
  const line = { cursor: options.cursor, opened: false, pause: FIRST_PAUSE_MS, offlineSince: null as number | null };
  while (!signal.aborted) {
    let cause = "the server closed it";
    try {
      for await (const frame of readOnce(api, path, options.query, line.cursor, signal)) {
        if (line.offlineSince !== null) output.note(`Reconnected after ${durationWords(performance.now() - line.offlineSince)}.`);
        Object.assign(line, { offlineSince: null, pause: FIRST_PAUSE_MS });
        yield { ...frame, first: !line.opened };
        line.opened = true;
        line.cursor = frame.id ?? line.cursor ?? cursorIn(frame.data);
      }
    } catch (error) {
      if (signal.aborted) return;
      const mayPass = line.opened || Number.isFinite(maxOfflineMs);
      if (!mayPass || isFinal(error)) throw error;
      cause = error instanceof CliError ? error.message.replace(/\.$/, "") : networkCause(error);
    }
    if (signal.aborted) return;
    if (line.offlineSince === null) output.warn(`The connection to ${api.url} was lost: ${cause}. Reconnecting.`);
    line.offlineSince ??= performance.now();
    const left = line.offlineSince + maxOfflineMs - performance.now();
    if (left <= 0)
      throw new CliError(`No connection to ${api.url} for ${durationWords(maxOfflineMs)}: giving up.`, { exitCode: EXIT.gaveUp });
    await sleep(Math.min(left, line.pause * (0.5 + Math.random())), signal);
    line.pause = Math.min(MAX_PAUSE_MS, line.pause * 2);
  }
}

/** True for errors that retrying can't fix. */
const isFinal = (error: unknown) => error instanceof ApiFailure && [400, 401, 403, 404].includes(error.status);

/** `ready` names the place where a stream without a cursor starts. */
const cursorIn = (data: unknown): string | null => (data as { cursor?: string } | null)?.cursor ?? null;

async function* readOnce(
  api: Api,
  path: string,
  query: Query,
  cursor: string | null,
  signal: AbortSignal,
): AsyncGenerator<Omit<Frame, "first">> {
  const silence = new AbortController();
  const headers: Record<string, string> = { accept: "text/event-stream", ...(cursor !== null && { "last-event-id": cursor }) };
  const watch = () => globalThis.setTimeout(() => silence.abort(new Error(`no data for ${SILENCE_MS / 1000} s`)), SILENCE_MS);
  let timer = watch();
  const both = AbortSignal.any([signal, silence.signal]);
  try {
    const response = await api.open(path, query, { headers, signal: both });
    const waiting: Omit<Frame, "first">[] = [];
    const parser = createParser({
      maxBufferSize: MAX_FRAME,
      onEvent: ({ event = "message", id, data }) => void waiting.push({ event, id: id || null, data: parseExact(data) }),
    });
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      // Only while waiting for data: time spent on a frame says nothing about the connection.
      clearTimeout(timer);
      timer = watch();
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      parser.feed(value);
      yield* waiting.splice(0);
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
