import { describe, expect, it } from "vitest";
import { forwardedStep, lateWords } from "#components/events/inspector/event-steps";
import { timingOf } from "#components/events/inspector/timing-tab";
import { BACK_DATED_HEADERS } from "#lib/contracts/events/back-dated";
import type { Attempt, EventDetail } from "#lib/contracts/events/events";
import type { Delivery } from "#lib/contracts/forwarding/deliveries";

const at = (seconds: number) => new Date(1_795_000_000_000 + seconds * 1000).toISOString();
const NOW = Date.parse(at(1000));

const attempt = (outcome: Attempt["outcome"], seconds: number): Attempt => ({
  ...{ number: 1, at: at(seconds), outcome, redeliveryId: null, failureCode: null, failureText: null },
});

const event = (given: Partial<EventDetail> = {}) => ({
  source: "stripe",
  created: at(0),
  receivedAt: at(1),
  appliedAt: at(1.2),
  state: "processed" as const,
  attempts: [attempt("applied", 1.2)],
  headers: {},
  verification: { form: "raw" as const, secretId: "sec_1", secretCreatedAt: null },
  ...given,
});

const delivery = (given: Partial<Delivery> = {}): Delivery => ({
  id: "dlv_1",
  destination: { id: "dst_1", name: "Billing" },
  event: { id: "evt_1", type: "document.processed", title: "Document processed", receivedAt: at(1) },
  subject: "document:doc_1",
  state: "delivered",
  attempts: 1,
  createdAt: at(1.2),
  nextAttemptAt: null,
  finishedAt: at(1.5),
  last: null,
  ...given,
});

const summaryOf = (...given: Parameters<typeof timingOf>) => timingOf(...given).summary;

describe("where an event's time went", () => {
  it("says nothing of the sender's part of the sandbox's made-up history", () => {
    const old = { created: at(-86_400) };
    expect(lateWords(event(old), [])).not.toBeNull();
    expect(lateWords(event({ ...old, headers: BACK_DATED_HEADERS }), [])).toBeNull();
  });

  it("says what it took when nothing was late, and leaves the platform's part out where its whole seconds tell nothing", () => {
    const { spans, summary } = timingOf(event(), [delivery()], NOW);
    expect(spans.map(({ label, from, to }) => [label, from - Date.parse(at(0)), to - from])).toEqual([
      ["Stored and applied", 1000, 200],
      ["To Billing", 1200, 300],
    ]);
    expect(summary).toBe("No delays: applied 200 ms after it was received, delivered after 500 ms.");
    expect(lateWords(event(), [delivery()])).toBeNull();
  });

  it("names the longest late part: the sender, the worker, a failed attempt or a destination", () => {
    const old = event({ created: at(-240) });
    expect(summaryOf(old, [], NOW)).toBe("Sent by stripe 4 min after it happened.");
    expect(timingOf(old, [], NOW).spans[0]?.label).toBe("From stripe");
    expect(summaryOf(event({ appliedAt: at(33) }), [], NOW)).toBe("It waited 32 s for the worker.");
    const tried = [attempt("failed", 2), attempt("failed", 9), attempt("applied", 33)];
    expect(summaryOf(event({ appliedAt: at(33), attempts: tried }), [], NOW)).toBe(
      "It was applied 32 s after it was received, at the third attempt.",
    );
    expect(summaryOf(event({ created: at(-240) }), [delivery({ attempts: 3, finishedAt: at(721.2) })], NOW)).toBe(
      "Billing accepted it after 3 attempts and 12 min.",
    );
  });

  it("goes on until now while something is not over", () => {
    const waiting = timingOf(event({ state: "pending", appliedAt: null, attempts: [] }), [], NOW);
    expect([waiting.summary, waiting.spans.at(-1)?.to, waiting.spans.at(-1)?.lasts]).toEqual([
      "It has been waiting for the worker for 16 min.",
      NOW,
      true,
    ]);
    expect(summaryOf(event({ state: "failed", appliedAt: null, attempts: [attempt("failed", 2)] }), [], NOW)).toBe(
      "It has not been applied since it was received 16 min ago: 1 attempt failed.",
    );
    expect(summaryOf(event(), [delivery({ state: "retrying", attempts: 4, finishedAt: null })], NOW)).toBe(
      "Billing has not accepted it yet: 4 attempts in 16 min.",
    );
    expect(summaryOf(event(), [delivery({ state: "held", attempts: 0, finishedAt: null })], NOW)).toBe(
      "It has been held for 16 min: Billing is paused or suspended.",
    );
    expect(summaryOf(event(), [delivery({ state: "exhausted", attempts: 12, finishedAt: at(601.2) })], NOW)).toBe(
      "Billing did not accept it: 12 attempts in 10 min.",
    );
  });

  it("names a late part apart from now only when it is over", () => {
    expect(
      lateWords(event({ state: "pending", appliedAt: null, attempts: [] }), [delivery({ state: "held", finishedAt: null })]),
    ).toBeNull();
    expect(lateWords(event({ created: at(-240), state: "failed", appliedAt: null }), [])).toBe("Sent by stripe 4 min after it happened.");
  });

  it("takes the time in quarantine for what it was", () => {
    const released = event({ appliedAt: at(3601), verification: { form: "released", secretId: "sec_1", secretCreatedAt: null } });
    expect(summaryOf(released, [], NOW)).toBe("It was in quarantine: applied 1 h after it was received.");
  });

  it("ends no part before its beginning, when the platform's clock is ahead", () => {
    const { spans } = timingOf(event({ created: at(500) }), [], NOW);
    expect(spans.every(({ from, to }) => to >= from)).toBe(true);
  });
});

describe("the step of an event's deliveries", () => {
  const open = { finishedAt: null };
  it.each([
    ["on their way", [{ state: "waiting", ...open }, { state: "held", ...open }, {}], ["Forwarding", "working", "1 of 3 delivered"]],
    ["held alone: nothing is on its way", [{ state: "held", ...open }, {}], ["Held", "neutral", "1 of 2 delivered"]],
    ["given up for one", [{ state: "exhausted" }, { state: "waiting", ...open }], ["Not forwarded", "failed", "0 of 2 delivered"]],
    ["passed over or called off", [{ state: "skipped" }, { state: "cancelled" }], ["Not forwarded", "neutral", "0 of 2 delivered"]],
    ["delivered, the rest passed over", [{}, { state: "skipped" }], ["Forwarded", "fine", "1 of 2 delivered"]],
  ] as const)("says of deliveries %s", (_, given, expected) => {
    const steps = forwardedStep(event(), given.map(delivery));
    expect(steps.map(({ label, state, at: words }) => [label, state, words])).toEqual([expected]);
  });

  it("is none where no destination receives the event", () => {
    expect(forwardedStep(event(), [])).toEqual([]);
  });
});
