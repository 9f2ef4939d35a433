import { createHash, createHmac } from "node:crypto";
import { mulberry32 } from "#tests/chaos/driver";
import { headersOf, OTHER_SENDERS, type OtherSender } from "#tests/chaos/other-senders";

/** Answer expected from the receiver when all is well. */
export type Expected = "event" | "quarantined" | "rejected" | "unknown_source";

/** One request of the soak; signed when it is sent, because the secret rotates meanwhile. */
export type SoakRequest = {
  /** Unique in the run: the event's id, or a name of its own for what is no event. */
  key: string;
  expected: Expected;
  path: string;
  body: Buffer;
  signed: "raw" | "reserialized" | "wrong";
  /** Another sender than the platform, and the event's type as it says it. */
  other?: { sender: OtherSender; type: string };
};

const STAGES = ["Inbox", "Review", "Approval", "Done"];
const MEGABYTE = 1024 * 1024;
/** Headroom below the default of WEBHOOK_MAX_BYTES. */
const LARGE_BYTES = MEGABYTE - 4096;
const FRESH_FIELDS = 39;

/** Identifiers that are legal and unusual: none may break a page, a cursor, an export or a fold. */
const ODD_IDS = ["%00", "é́", "a b", "a/b?c#d", "'; --", "<b>", "日本語", "\u202eabc", "🧾", "x".repeat(300), "__proto__", "-1", "NaN"];

/** Values of `created` that are not Unix seconds of about now. */
const WRONG_CLOCKS = [0, -1, 1, 253_402_300_799, 253_402_300_800, 1_795_226_400_000, 1_795_226_400_000_000, 8_640_000_000_000];

/**
 * The webhooks of a soak, the same for the same seed: ordinary ones of all
 * kinds, 1% with bodies of 1 MB, odd ids, records that grow, wrong clocks,
 * repeats, two other senders, signed requests that are no event, wrong signatures, unknown sources.
 */
export class Traffic {
  private readonly random: () => number;
  private readonly seed: number;
  private readonly startedAt = Math.floor(Date.now() / 1000);
  private made = 0;
  private readonly recent: SoakRequest[] = [];

  constructor(seed: number) {
    this.seed = seed;
    this.random = mulberry32(seed);
  }

  /** The next request. */
  next(): SoakRequest {
    const draw = this.random();
    const n = this.made++;
    if (draw < 0.02 && this.recent.length > 0) return this.pick(this.recent);
    if (draw < 0.025)
      return this.request(n, "quarantined", {
        id: `evt_${this.seed}_${n}`,
        type: "document.processed",
        created: 1_795_290_000.5,
        data: {},
      });
    if (draw < 0.03) return { ...this.event(n, {}), key: `rejected_${n}`, expected: "rejected", signed: "wrong" };
    if (draw < 0.035) return { ...this.event(n, {}), key: `unknown_${n}`, expected: "unknown_source", path: `/webhooks/nobody-${n % 997}` };
    const request = this.drawnEvent(n, draw);
    this.remember(request);
    return request;
  }

  private drawnEvent(n: number, draw: number): SoakRequest {
    if (draw < 0.045) return this.large(n);
    if (draw < 0.055) return this.event(n, { documentId: `doc_${this.seed}_growing_${n % 3}`, ...this.freshFields(n) });
    if (draw < 0.065) return this.event(n, {}, { created: this.pick(WRONG_CLOCKS) });
    if (draw < 0.085)
      return this.event(
        n,
        { documentId: this.pick(ODD_IDS), name: this.pick(ODD_IDS) },
        { id: `evt_${this.seed}_${n}_${this.pick(ODD_IDS)}` },
      );
    if (draw < 0.095) return { ...this.event(n, { ratio: 1.5, fileName: "spaced.pdf" }, {}, 2), signed: "reserialized" };
    const request = this.event(n, {});
    const sender = OTHER_SENDERS[Math.floor(this.random() * 5)];
    return sender ? ofOther(request, sender) : request;
  }

  private remember(request: SoakRequest): void {
    this.recent.push(request);
    if (this.recent.length > 500) this.recent.shift();
  }

  /** An event of any kind, over records that many events share. */
  private event(n: number, data: Record<string, unknown>, overrides: Record<string, unknown> = {}, indent = 0): SoakRequest {
    const shared = Math.floor(this.random() * (50 + n / 8));
    const [type, own] = this.pick<[string, Record<string, unknown>]>([
      ["document.uploaded", { documentId: `doc_${this.seed}_${shared}`, fileName: `${shared}.pdf` }],
      ["document.processed", { documentId: `doc_${this.seed}_${shared}`, organizationId: "org_1", status: "completed", metadata: { n } }],
      ["document.error", { documentId: `doc_${this.seed}_${shared}`, error: { code: "ocr_failed", message: "unreadable" } }],
      [
        "task.created",
        {
          taskId: `tsk_${this.seed}_${shared}`,
          pipelineId: `pip_${shared % 7}`,
          stage: STAGES[0],
          documentId: `doc_${this.seed}_${shared}`,
        },
      ],
      [
        "pipeline.stage_changed",
        {
          taskId: `tsk_${this.seed}_${shared}`,
          pipelineId: `pip_${shared % 7}`,
          fromStage: STAGES[shared % 3],
          toStage: STAGES[(shared % 3) + 1],
        },
      ],
      ["task.completed", { taskId: `tsk_${this.seed}_${shared}` }],
      ["automation.completed", { automationId: `aut_${shared % 9}`, runId: `run_${this.seed}_${shared}` }],
    ]);
    return this.request(
      n,
      "event",
      { id: `evt_${this.seed}_${n}`, type, created: this.startedAt + Math.floor(n / 200), data: { ...own, ...data }, ...overrides },
      indent,
    );
  }

  private request(n: number, expected: Expected, envelope: Record<string, unknown>, indent = 0): SoakRequest {
    const key = expected === "event" ? String(envelope.id) : `${expected}_${n}`;
    return { key, expected, path: "/webhooks/platform", body: Buffer.from(JSON.stringify(envelope, null, indent)), signed: "raw" };
  }

  /** Half of them text, half small numbers, which weigh ten times as much once parsed. */
  private large(n: number): SoakRequest {
    const room = LARGE_BYTES - 500;
    const filling = n % 2 === 0 ? "x".repeat(room) : Array.from({ length: room / 2 - 1 }, (_, at) => at % 10);
    return this.event(n, { filling });
  }

  private freshFields(n: number): Record<string, number> {
    return Object.fromEntries(Array.from({ length: FRESH_FIELDS }, (_, at) => [`field_${n}_${at}`, at]));
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }
}

/** The same event as another sender sends it. */
const ofOther = (request: SoakRequest, sender: OtherSender): SoakRequest => {
  const { type } = JSON.parse(request.body.toString()) as { type: string };
  return { ...request, path: `/webhooks/${sender.name}`, other: { sender, type } };
};

/** The headers that sign a request, made when it is sent. `secret`: the platform's. */
export const signedHeadersOf = (request: SoakRequest, secret: string): Record<string, string> =>
  request.other
    ? headersOf(request.other.sender, request.key, request.other.type, request.body)
    : { "x-webhook-signature": signatureOf(request, secret) };

function signatureOf({ body, signed }: SoakRequest, secret: string): string {
  if (signed === "wrong") return createHash("sha256").update(body).digest("hex");
  const content = signed === "reserialized" ? JSON.stringify(JSON.parse(body.toString())) : body;
  return createHmac("sha256", secret).update(content).digest("hex");
}
