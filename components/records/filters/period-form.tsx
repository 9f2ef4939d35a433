import { useState } from "react";
import { ChoiceButtons } from "#components/ui/choice";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { dayStart, isoParts, momentOfField, useTimeZoneChoice } from "#components/ui/time-format";
import type { EventPeriod } from "#lib/contracts/events/events";
import { type Occurred, PERIOD_WORDS, type Period, type Span } from "./period.tsx";

const HOUR_MS = 3_600_000;
const LASTS: Record<EventPeriod, number> = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 7 * 24 * HOUR_MS, "30d": 30 * 24 * HOUR_MS };
const PERIODS = Object.keys(LASTS) as EventPeriod[];

type PeriodFormProps = {
  filter: Period & Occurred;
  /** The list has a filter for ranges that move with time; otherwise a range begins at the time of the click. */
  moving: boolean;
  /** The list has a filter by time of occurrence. */
  occurred: boolean;
  onSet: (period: Period & Occurred) => void;
};

const TIMES = [
  { value: "received", label: "Received" },
  { value: "occurred", label: "Occurred" },
] as const;

/** Asks for a time range, in the time zone in which the user reads times. */
export function PeriodForm({ filter, moving, occurred, onSet }: PeriodFormProps) {
  const [time, setTime] = useState<"received" | "occurred">(filter.occurredFrom || filter.occurredTo ? "occurred" : "received");
  const choice = useTimeZoneChoice();
  const ago = (period: EventPeriod) => ({ from: new Date(Date.now() - LASTS[period]).toISOString() });
  const days: [string, Span][] = [
    ["Today", { from: dayStart(0, choice), to: dayStart(-1, choice) }],
    ["Yesterday", { from: dayStart(1, choice), to: dayStart(0, choice) }],
  ];
  const lasts = PERIODS.map((period): [string, Period] => [PERIOD_WORDS[period], moving ? { period } : ago(period)]);
  const byOccurrence = time === "occurred";
  const span = byOccurrence ? { from: filter.occurredFrom, to: filter.occurredTo } : { from: filter.from, to: filter.to };
  const presets: [string, Period][] = byOccurrence ? [...days, ["Last 7 days", { from: dayStart(6, choice) }]] : [...lasts, ...days];
  const set = ({ from, to, period }: Period) =>
    onSet(byOccurrence ? { occurredFrom: from, occurredTo: to } : { from, to, ...(moving && { period }) });
  return (
    <div className="flex flex-col gap-3">
      {occurred ? <ChoiceButtons legend="Time of the range" choices={TIMES} chosen={time} onChoose={setTime} /> : null}
      <div className="grid grid-cols-2 gap-2">
        {presets.map(([label, range]) => (
          <Button
            key={label}
            size="sm"
            aria-pressed={isSame(range, { ...span, period: byOccurrence ? undefined : filter.period })}
            onClick={() => set(range)}
          >
            {label}
          </Button>
        ))}
      </div>
      <SpanForm key={time} span={span} onSet={set} />
    </div>
  );
}

const isSame = (one: Period, other: Period) => one.period === other.period && one.from === other.from && one.to === other.to;

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;

function SpanForm({ span, onSet }: { span: Span; onSet: (span: Span) => void }) {
  const choice = useTimeZoneChoice();
  const zone = choice === "utc" ? "UTC" : undefined;
  const textOf = (iso: string | undefined) => (iso === undefined ? "" : isoParts(Date.parse(iso), zone).text);
  const [from, setFrom] = useState(textOf(span.from));
  const [to, setTo] = useState(textOf(span.to));
  const [wrong, setWrong] = useState<"from" | "to" | null>(null);
  /** Reads a moment; of a day its first, or the next day's where a range ends with it. */
  const isoOf = (text: string, ends: boolean): string | null | undefined => {
    if (text.trim() === "") return undefined;
    const [, day, time] = WRITTEN.exec(text.trim()) ?? [];
    const at = momentOfField(`${day}T${time ?? "00:00"}`, choice);
    if (Number.isNaN(at.getTime())) return null;
    if (ends && time === undefined) at.setDate(at.getDate() + 1);
    return at.toISOString();
  };
  const submit = () => {
    const [start, end] = [isoOf(from, false), isoOf(to, true)];
    if (start === null || end === null) setWrong(start === null ? "from" : "to");
    else onSet({ from: start, to: end });
  };
  const errorOf = (field: "from" | "to") => (wrong === field ? { error: "Write it as 2026-11-21 or 2026-11-21 14:30." } : {});
  const input = { placeholder: "YYYY-MM-DD hh:mm", autoComplete: "off", className: "font-mono" };
  return (
    <form
      className="flex flex-col gap-2 border-line border-t pt-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="From" {...errorOf("from")}>
        <Input {...input} value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field label="To" {...errorOf("to")}>
        <Input {...input} value={to} onChange={({ target }) => setTo(target.value)} />
      </Field>
      <p className="text-12 text-muted">Times in {isoParts(Date.now(), zone).zone}. A day without a time is whole.</p>
      <Button type="submit" size="sm" disabled={from === "" && to === ""}>
        Set time range
      </Button>
    </form>
  );
}
