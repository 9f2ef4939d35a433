import { parseExact, writeJson } from "#lib/contracts/exact-json";
import type { ApiCall } from "./format/api-call.ts";

/** Most that is shown of a response: an export or a stream may never end. Bytes and milliseconds. */
const MAX_BYTES = 100_000;
const MAX_MS = 10_000;

export type CallAnswer = { status: number; ok: boolean; ms: number; bytes: number; text: string; cut: boolean };

/** Calls this installation's API with the key, or else the session, and reads the response's beginning. @throws TypeError */
export async function runCall({ method, path, headers, body }: ApiCall, key: string): Promise<CallAnswer> {
  const began = performance.now();
  const all = new Headers(headers);
  if (key !== "") all.set("authorization", `Bearer ${key}`);
  if (body !== null) all.set("content-type", "application/json");
  const response = await fetch(path, { method, headers: all, body, credentials: key === "" ? "same-origin" : "omit", cache: "no-store" });
  const { text, bytes, cut } = await readStart(response, AbortSignal.timeout(MAX_MS));
  return { status: response.status, ok: response.ok, ms: Math.round(performance.now() - began), bytes, text: indented(text), cut };
}

async function readStart({ body }: Response, signal: AbortSignal): Promise<{ text: string; bytes: number; cut: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes, done] = ["", 0, reader === undefined];
  const stop = () => void reader?.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop);
  while (reader && !done && bytes < MAX_BYTES) {
    const read = await reader.read();
    done = read.done;
    bytes += read.value?.length ?? 0;
    text += decoder.decode(read.value, { stream: !done });
  }
  signal.removeEventListener("abort", stop);
  if (!done) stop();
  return { text, bytes, cut: !done || signal.aborted };
}

function indented(text: string): string {
  try {
    return writeJson(parseExact(text), 2);
  } catch {
    return text;
  }
}
