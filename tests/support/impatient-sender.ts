import type { TestReceiver } from "./receivers.ts";
import { envelope, signed } from "./webhooks.ts";

/** One answer to one try, as the platform's sender saw it. */
export type SeenAnswer = { eventId: string; status: number; at: number; ms: number; retryAfter: string | null; duplicate: boolean };

const PAUSE_MS = 250;

/** Sends one webhook as the platform does: again while the receiver says 503 or takes no connection. @returns the first other answer */
export const sendUntilKept = (
  receiver: Pick<TestReceiver, "send">,
  source: string,
  message: ReturnType<typeof signed>,
): Promise<Response> => untilTaken(() => receiver.send(source, message));

/** Sends again while the answer is 503 or there is none. @returns the first other answer */
export async function untilTaken<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send().catch(() => null);
    if (answer !== null && answer.status !== 503) return answer;
    await pause(PAUSE_MS);
  }
}

/** Sends events as the platform does: each again and again until it is acknowledged. */
export class ImpatientSender {
  readonly answers: SeenAnswer[] = [];
  readonly sent: string[] = [];
  private readonly receiver: Pick<TestReceiver, "send">;
  private readonly source: string;

  constructor(receiver: Pick<TestReceiver, "send">, source: string) {
    this.receiver = receiver;
    this.source = source;
  }

  /** Begins a new event every `everyMs`, for so many milliseconds or until `end` settles; resolves when all were acknowledged. */
  async send(end: number | Promise<unknown>, everyMs: number, dataBytes = 0): Promise<void> {
    const deliveries: Promise<void>[] = [];
    let over = false;
    const stop = () => {
      over = true;
    };
    (typeof end === "number" ? pause(end) : end).then(stop, stop);
    while (!over) {
      deliveries.push(this.deliver(dataBytes));
      await pause(everyMs);
    }
    await Promise.all(deliveries);
  }

  /** One event, until it is acknowledged. */
  async deliver(dataBytes = 0): Promise<void> {
    const n = this.sent.length;
    const eventId = `evt_${this.source}_${n}`;
    this.sent.push(eventId);
    const filler = dataBytes > 0 ? { filler: Array.from({ length: dataBytes }, () => Math.random().toString(36)[2] ?? "0").join("") } : {};
    const message = signed(
      envelope({ id: eventId, type: "document.uploaded", created: n, data: { documentId: `doc_${n % 7}`, ...filler } }),
    );
    for (;;) {
      const answer = await this.sendOnce(eventId, message);
      this.answers.push(answer);
      if (answer.status === 200) return;
      await pause(PAUSE_MS);
    }
  }

  private async sendOnce(eventId: string, message: ReturnType<typeof signed>): Promise<SeenAnswer> {
    const since = performance.now();
    const answer = await this.receiver.send(this.source, message);
    const body = (await answer.json()) as { duplicate?: boolean };
    const seen = { status: answer.status, at: Date.now(), ms: performance.now() - since, retryAfter: answer.headers.get("retry-after") };
    return { eventId, duplicate: body.duplicate === true, ...seen };
  }

  get slowestMs(): number {
    return Math.max(...this.answers.map(({ ms }) => ms));
  }

  /** Answers that were no acknowledgement. */
  get refusals(): SeenAnswer[] {
    return this.answers.filter(({ status }) => status !== 200);
  }

  /** Milliseconds from a moment to the first acknowledgement after it. */
  recoveryMs(from: number): number {
    return Math.min(...this.answers.filter(({ status, at }) => status === 200 && at >= from).map(({ at }) => at - from));
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
