import { shortId } from "#components/records/resource-id";
import { type Step, Stepper } from "#components/ui/lists/timeline";
import { RelativeTime } from "#components/ui/relative-time";
import { durationWords } from "#components/ui/time-format";
import { useEventDeliveries } from "#lib/client/queries/event-deliveries";
import { isBackDated } from "#lib/contracts/events/back-dated";
import type { EventDetail } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { Delivery } from "#lib/contracts/forwarding/deliveries";
import { isOpenDelivery } from "#lib/contracts/forwarding/delivery-states";
import { lateWords } from "./event-timing.tsx";

const FORM_WORDS: Record<EventDetail["verification"]["form"], string> = {
  raw: "raw body",
  reserialized: "re-serialized JSON",
  signed: "signed content",
  signed_late: "signed content, late",
  partly_signed: "signed fields",
  token: "token",
  network: "network",
  released: "released from quarantine",
};

export function EventSteps({ event }: { event: EventDetail }) {
  const { data: deliveries = [] } = useEventDeliveries(event.id);
  const late = lateWords(event, deliveries);
  return (
    <div className="flex flex-col gap-2">
      <Stepper label="Event timeline" steps={[...stepsOf(event), ...forwardedStep(event, deliveries)]} />
      {late === null ? null : <p className="text-13 text-muted">{late}</p>}
    </div>
  );
}

function forwardedStep({ appliedAt }: EventDetail, deliveries: Delivery[]): Step[] {
  if (deliveries.length === 0) return [];
  const delivered = deliveries.filter(({ state }) => state === "delivered").length;
  const words = `${formatNumber(delivered)} of ${formatNumber(deliveries.length)} delivered`;
  if (deliveries.some(({ state }) => state === "exhausted")) return [{ label: "Not forwarded", state: "failed", at: words }];
  if (deliveries.some(({ state }) => isOpenDelivery(state))) return [{ label: "Forwarding", state: "working", at: words }];
  const last = deliveries
    .flatMap(({ state, finishedAt }) => (state === "delivered" && finishedAt !== null ? finishedAt : []))
    .sort()
    .at(-1);
  const duration = appliedAt !== null && last !== undefined ? took(appliedAt, last, 0) : {};
  return [{ label: "Forwarded", state: delivered > 0 ? "fine" : "neutral", at: words, ...duration }];
}

function stepsOf(event: EventDetail): Step[] {
  const { form, secretId } = event.verification;
  return [
    { label: "Occurred", state: "fine", at: <RelativeTime at={event.created} /> },
    {
      label: "Received",
      state: "fine",
      at: <RelativeTime at={event.receivedAt} />,
      ...(isBackDated(event.headers) ? {} : took(event.created, event.receivedAt, 1000)),
    },
    {
      label: "Verified",
      state: "fine",
      at: (
        <span title={secretId}>
          {FORM_WORDS[form]}
          <span className="block truncate font-mono">{shortId(secretId, 12)}</span>
        </span>
      ),
    },
    { label: "Stored", state: "fine", at: "committed" },
    lastStep(event),
  ];
}

function lastStep(event: EventDetail): Step {
  if (event.state === "failed")
    return { label: "Not applied", state: "failed", at: `after ${countWords(event.attempts.length, "attempt")}` };
  if (event.state === "pending") {
    const tried = event.attempts.length > 0;
    return {
      label: tried ? "Retrying" : "Waiting to be applied",
      state: "working",
      ...(tried && { at: `after ${countWords(event.attempts.length, "attempt")}` }),
    };
  }
  if (event.appliedAt === null) return { label: "Applied", state: event.state === "unrecognised" ? "attention" : "fine" };
  return {
    label: event.state === "unrecognised" ? "Applied to no record" : "Applied",
    state: event.state === "unrecognised" ? "attention" : "fine",
    at: <RelativeTime at={event.appliedAt} />,
    ...took(event.receivedAt, event.appliedAt, 0),
  };
}

/** Returns a step's duration, none below `grain` ms: the sender's clock may be in whole seconds, and differs from ours. */
function took(from: string, to: string, grain: number): { took?: string } {
  const ms = Date.parse(to) - Date.parse(from);
  if (Number.isNaN(ms) || ms < -grain) return {};
  return { took: ms < grain ? `under ${durationWords(grain)}` : durationWords(ms) };
}
