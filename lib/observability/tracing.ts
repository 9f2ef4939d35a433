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
import { PRODUCT_VERSION } from "#lib/config/product";

/** W3C Trace Context: 16 and 8 bytes in lowercase hexadecimal digits. */
export type TraceIdentity = { traceId: string; spanId: string };

/** A span that is already over. Times are milliseconds since 1970. */
export type FinishedSpan = {
  name: string;
  kind: SpanKind;
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number | boolean>;
  error?: string | undefined;
};

/** Exports spans to OTEL_EXPORTER_OTLP_ENDPOINT. The SDK reads the other OTEL_ variables itself. */
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
      // By the trace's ID only, so that every process decides the same for an event.
      sampler: new TraceIdRatioBasedSampler(env().OTEL_TRACES_SAMPLER_ARG),
      idGenerator: this.ids,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.tracer = this.provider.getTracer("signalbox", PRODUCT_VERSION);
  }

  /** Adds the first span of a trace and returns the context for its children. */
  root(identity: TraceIdentity | null, span: FinishedSpan, links: Link[] = []): Context {
    this.ids.given = identity;
    const context = this.finish(ROOT_CONTEXT, span, links);
    this.ids.given = null;
    return context;
  }

  child(parent: Context, span: FinishedSpan): void {
    this.finish(parent, span, []);
  }

  /** Adds a span below the first of a trace, which another process may have made, and returns the context for its children. */
  below(identity: TraceIdentity, span: FinishedSpan, links: Link[] = []): Context {
    return this.finish(contextOf(identity), span, links);
  }

  begin(identity: TraceIdentity, name: string, kind: SpanKind, attributes: FinishedSpan["attributes"]): Span {
    return this.tracer.startSpan(name, { kind, attributes }, contextOf(identity));
  }

  /** Sends the remaining spans. Never fails: an unreachable collector only loses spans. */
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

const contextOf = ({ traceId, spanId }: TraceIdentity): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });

class GivenIds implements IdGenerator {
  given: TraceIdentity | null = null;
  private readonly random = new RandomIdGenerator();

  generateTraceId = (): string => this.given?.traceId ?? this.random.generateTraceId();
  generateSpanId = (): string => this.given?.spanId ?? this.random.generateSpanId();
}
