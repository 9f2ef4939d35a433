import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import { env } from "#lib/config/env";
import { PRODUCT_VERSION } from "#lib/config/product-version";
import type { TraceIdentity } from "./trace-identity.ts";

/** Makes spans that are already over: what they were is known when they end. Times are milliseconds since 1970. */
export type FinishedSpan = {
  name: string;
  kind: SpanKind;
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number | boolean>;
  /** A failure, in words. */
  error?: string | undefined;
};

/** Exports spans to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. The SDK reads the other OTEL_ variables itself. */
export class Tracing {
  private readonly ids = new GivenIds();
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;

  constructor() {
    const resource = defaultResource()
      .merge(resourceFromAttributes({ "service.name": "signalbox", "service.version": PRODUCT_VERSION }))
      .merge(detectResources({ detectors: [envDetector] }));
    this.provider = new NodeTracerProvider({
      resource,
      // By the trace's id alone, so that every process decides alike of an event.
      sampler: new TraceIdRatioBasedSampler(env().OTEL_TRACES_SAMPLER_ARG),
      idGenerator: this.ids,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.tracer = this.provider.getTracer("signalbox", PRODUCT_VERSION);
  }

  /** The first span of a trace, with the identity that it is given. @returns what its children need of it */
  root(identity: TraceIdentity | null, span: FinishedSpan, links: Link[] = []): Context {
    this.ids.given = identity;
    const context = this.finish(ROOT_CONTEXT, span, links);
    this.ids.given = null;
    return context;
  }

  /** A span below another of this process. */
  child(parent: Context, span: FinishedSpan): void {
    this.finish(parent, span, []);
  }

  /** A span below the first of that trace, which another process may have made. @returns what its children need of it */
  below(identity: TraceIdentity, span: FinishedSpan, links: Link[] = []): Context {
    return this.finish(contextOf(identity), span, links);
  }

  /** A span that begins now, below the first of that trace; whoever asked ends it. */
  begin(identity: TraceIdentity, name: string, kind: SpanKind, attributes: FinishedSpan["attributes"]): Span {
    return this.tracer.startSpan(name, { kind, attributes }, contextOf(identity));
  }

  /** Sends what waits. Never fails: a collector that is away loses spans, nothing else. */
  async shutdown(): Promise<void> {
    await this.provider.shutdown().catch(() => undefined);
  }

  private finish(parent: Context, { name, kind, startMs, endMs, attributes, error }: FinishedSpan, links: Link[]): Context {
    const span = this.tracer.startSpan(name, { kind, attributes, links, startTime: startMs }, parent);
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    span.end(endMs);
    return trace.setSpan(parent, span);
  }
}

/** Returns what stands for the root span of a trace where another process has made it. */
const contextOf = ({ traceId, spanId }: TraceIdentity): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });

/** Random ids, but while some are given. */
class GivenIds implements IdGenerator {
  given: TraceIdentity | null = null;
  private readonly random = new RandomIdGenerator();

  generateTraceId = (): string => this.given?.traceId ?? this.random.generateTraceId();
  generateSpanId = (): string => this.given?.spanId ?? this.random.generateSpanId();
}
