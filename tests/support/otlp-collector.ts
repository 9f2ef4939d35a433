import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A span as a collector gets it. Times are milliseconds since 1970. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  startMs: number;
  endMs: number;
  links: string[];
};

type Field = { number: number; bytes: Buffer };

/** An OTLP collector over HTTP (protobuf), gone when the test is over. */
export async function startCollector(): Promise<{ url: string; spans: CollectedSpan[] }> {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === "/v1/traces") spans.push(...readRequest(Buffer.concat(chunks)));
    response.setHeader("content-type", "application/x-protobuf").end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

/** ExportTraceServiceRequest > resource_spans > scope_spans > spans (opentelemetry-proto trace/v1/trace.proto). */
const readRequest = (request: Buffer): CollectedSpan[] =>
  all(request, 1).flatMap((resource) => all(resource, 2).flatMap((scope) => all(scope, 2).map(readSpan)));

function readSpan(span: Buffer): CollectedSpan {
  const [traceId, spanId, parentSpanId] = [1, 2, 4].map((number) => all(span, number)[0]?.toString("hex") ?? "");
  const time = (number: number) => Number((all(span, number)[0] ?? Buffer.alloc(8)).readBigUInt64LE() / 1000n) / 1000;
  return {
    traceId: traceId ?? "",
    spanId: spanId ?? "",
    parentSpanId: parentSpanId ?? "",
    name: all(span, 5)[0]?.toString() ?? "",
    kind: all(span, 6)[0]?.[0] ?? 0,
    startMs: time(7),
    endMs: time(8),
    links: all(span, 13).map((link) => all(link, 1)[0]?.toString("hex") ?? ""),
  };
}

const all = (message: Buffer, number: number) => fieldsOf(message).flatMap((field) => (field.number === number ? [field.bytes] : []));

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const from = at;
    const type = tag & 7;
    const length = type === 1 ? 8 : type === 5 ? 4 : varint();
    const start = type === 0 ? from : at;
    if (type !== 0) at += length;
    fields.push({ number: tag >>> 3, bytes: message.subarray(start, at) });
  }
  return fields;
}
