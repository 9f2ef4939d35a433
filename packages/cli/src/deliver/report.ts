import { hostname } from "node:os";
import { LOCAL_BODY_LENGTH, type ReportedDelivery } from "../../../../lib/contracts/events/listeners.ts";
import type { Api } from "../api/client.ts";
import { ApiFailure } from "../api/explain.ts";
import type { Output } from "../output/output.ts";
import type { Sent } from "./send.ts";

const BATCH = 100;
/** The route accepts 64 KiB. */
const BATCH_BYTES = 60_000;
const EVERY_MS = 1000;
/** Responses held while Signalbox is unreachable; older ones are dropped: they are a convenience, not the events. */
const MAX_HELD = 5000;

export type Reporter = { report: (delivery: ReportedDelivery) => void; close: () => Promise<void> };

/** Reports the local app's responses to Signalbox in batches. Never keeps an event from being sent. */
export function openReporter(api: Api, output: Output): Reporter {
  const held: ReportedDelivery[] = [];
  let off = false;
  let sending: Promise<void> | null = null;
  const flush = async () => {
    while (held.length > 0 && !off) {
      const batch = held.slice(0, batchLength(held));
      try {
        await api.post("/api/v1/local-deliveries", { deliveries: batch });
      } catch (error) {
        // Without a connection they wait for the next time.
        if (!(error instanceof ApiFailure) || error.status >= 500 || error.status === 429) return;
        off = true;
        output.warn(`The app's responses will not be shown in Signalbox: ${error.message}`);
      }
      held.splice(0, batch.length);
    }
  };
  const start = () => {
    sending ??= flush().finally(() => {
      sending = null;
    });
    return sending;
  };
  const timer = setInterval(() => void start(), EVERY_MS);
  return {
    report: (delivery) => {
      if (off) return;
      held.push(delivery);
      if (held.length > MAX_HELD) held.splice(0, held.length - MAX_HELD);
      if (held.length >= BATCH) void start();
    },
    close: async () => {
      clearInterval(timer);
      await start();
      await start();
    },
  };
}

function batchLength(held: ReportedDelivery[]): number {
  let bytes = '{"deliveries":[]}'.length;
  const end = held.slice(0, BATCH).findIndex((delivery, at) => {
    bytes += Buffer.byteLength(JSON.stringify(delivery)) + 1;
    return at > 0 && bytes > BATCH_BYTES;
  });
  return end < 0 ? BATCH : end;
}

export const answerReport = (sent: Sent): Pick<ReportedDelivery, "status" | "error" | "durationMs" | "body"> => ({
  status: sent.outcome === "answered" && sent.status >= 100 && sent.status <= 599 ? sent.status : null,
  error: sent.outcome === "answered" ? null : sent.error.slice(0, 500),
  durationMs: Math.min(sent.durationMs, 86_400_000),
  body: sent.outcome === "answered" ? textOf(sent.body) : null,
});

export const machineName = (): string => hostname().slice(0, 100) || "a computer";

/** Returns the beginning of a response as text that the API accepts: without NUL and unpaired surrogates. */
const textOf = (body: Buffer): string =>
  body
    .subarray(0, 4 * LOCAL_BODY_LENGTH)
    .toString("utf8")
    .replaceAll("\u0000", "\ufffd")
    .slice(0, LOCAL_BODY_LENGTH)
    .toWellFormed();
