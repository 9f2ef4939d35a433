import { createHmac } from "node:crypto";
import { connect, type Socket } from "node:net";

// The load, in a process of its own: keep-alive connections over plain sockets,
// each sending its next signed webhook when the answer to the last has come, or
// at its share of a steady rate when one is asked for. It ends after so many
// seconds, or after so many events.

type Order = {
  port: number;
  secret: string;
  connections: number;
  seconds?: number;
  events?: number;
  /** The events tell of so many documents in turn, each one's life over and over; without it, each of one of its own. */
  documents?: number;
  /** So many events in ten are the first of a document of their own. */
  newInTen?: number;
  /** The documents are this run's alone, not those of every run. */
  ofRun?: boolean;
  bytes: number;
  run: string;
  path: string;
  perSecond?: number;
};

process.once("message", async (order: Order) => {
  const latencies: number[] = [];
  const answers: Record<string, number> = {};
  const end = performance.now() + (order.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const started = performance.now();
  await Promise.all(Array.from({ length: order.connections }, (_, index) => drive(order, index, end, latencies, answers)));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  process.send?.({ perSecond: latencies.length / ((performance.now() - started) / 1000), p50: at(0.5), p99: at(0.99), answers });
  process.disconnect();
});

async function drive(order: Order, index: number, end: number, latencies: number[], answers: Record<string, number>): Promise<void> {
  const socket = connect(order.port, "127.0.0.1").setNoDelay(true);
  await new Promise((resolve, reject) => socket.once("connect", resolve).on("error", reject));
  const pause = order.perSecond ? (1000 * order.connections) / order.perSecond : 0;
  const began = performance.now() + (pause * index) / order.connections;
  for (let n = 0; performance.now() < end && index + n * order.connections < (order.events ?? Number.POSITIVE_INFINITY); n += 1) {
    const early = began + n * pause - performance.now();
    if (pause > 0 && early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const request = requestOf(order, `evt_${order.run}_${index}_${n}`, index + n * order.connections);
    const started = performance.now();
    const status = await exchange(socket, request);
    latencies.push(performance.now() - started);
    answers[status] = (answers[status] ?? 0) + 1;
  }
  socket.destroy();
}

function requestOf({ secret, bytes, path, documents, newInTen = 0, ofRun, run }: Order, eventId: string, n: number): string {
  const isFirst = n % 10 < newInTen;
  const moment = documents === undefined || isFirst ? 0 : Math.floor(n / documents);
  const document = documents === undefined || isFirst ? eventId : `${ofRun ? `${run}_` : ""}${n % documents}`;
  const head = documents === undefined ? lone(eventId) : scene(eventId, n, document, moment);
  const body = `${head}${"x".repeat(Math.max(0, bytes - head.length - 3))}"}}`;
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nx-webhook-signature: ${signature}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

const lone = (eventId: string) =>
  `{"id":"${eventId}","type":"document.uploaded","created":1760000000,"data":{"documentId":"doc_${eventId}","filler":"`;

/** One moment of a document's life. */
function scene(eventId: string, n: number, document: string, moment: number): string {
  const [type, status] = LIFE[moment % LIFE.length] ?? LIFE[0];
  const at = Math.floor(Date.now() / 1000);
  const metadata = JSON.stringify({
    supplier: `Supplier ${n % 997}`,
    total: n % 100_000,
    pages: n % 40,
    language: "en",
    note: `note ${n}`,
  });
  const about = `"documentId":"doc_${document}","organizationId":"org_${n % 7}","fileName":"Invoice ${document}.pdf","status":"${status}"`;
  return `{"id":"${eventId}","type":"${type}","created":${at},"data":{${about},"metadata":${metadata},"filler":"`;
}

const LIFE = [
  ["document.uploaded", "uploaded"],
  ["document.processed", "completed"],
] as const;

/** Sends one request and reads one answer. @returns its status */
function exchange(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const headEnd = text.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      if (!isWhole(text, headEnd + 4)) return;
      socket.off("data", read);
      resolve(text.slice(9, 12));
    };
    socket.on("data", read);
    socket.write(request);
  });
}

/** Next answers in chunks (RFC 9112 section 7.1), our own server with a length. */
function isWhole(text: string, bodyAt: number): boolean {
  const length = /content-length: (\d+)/i.exec(text.slice(0, bodyAt))?.[1];
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length >= bodyAt + Number(length);
}
