import { CalendarClock, ChevronLeft, ChevronRight, GitCompareArrows } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { popoverWith } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { IconButton } from "#components/ui/primitives/icon-button";
import { useLatest } from "#components/ui/primitives/use-latest";
import { useExactWords } from "#components/ui/time-format";
import { useMoments } from "#lib/client/queries/views";
import { formatNumber } from "#lib/contracts/format-count";
import type { ViewKind, ViewMoment } from "#lib/contracts/views";
import { type Moments, momentIndex, momentWords } from "./moments.tsx";

type TimeBarProps = Moments & { kind: ViewKind; id: string; onChange: (moments: Moments) => void };

export function TimeBar({ kind, id, asOf, since, onChange }: TimeBarProps) {
  const { data } = useMoments(kind, id);
  const moments = data?.data ?? [];
  if (moments.length < 2) return null;
  const comparing = since !== null;
  const toggle = () => onChange({ asOf, since: comparing ? null : (moments[0]?.at ?? null) });
  return (
    <section aria-label="Time" className="flex flex-col gap-1 rounded-md border border-line bg-sunken px-3 pt-2 pb-1">
      {comparing ? (
        <MomentSlider label="From" moments={moments} at={since} endsNow={false} onChange={(next) => onChange({ asOf, since: next })} />
      ) : null}
      <MomentSlider
        label={comparing ? "To" : "As of"}
        moments={moments}
        at={asOf}
        from={since}
        endsNow
        onChange={(next) => onChange({ asOf: next, since })}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3 text-12 text-faint">
        <span>
          {data?.earlier ? `Last ${moments.length} changes. For earlier ones, go to a time.` : `${formatNumber(moments.length)} changes`}
        </span>
        <span className="flex items-center gap-1">
          <GoToMoment onGo={(next) => onChange({ asOf: next, since })} />
          <Button size="sm" variant="ghost" icon={<GitCompareArrows />} aria-pressed={comparing} onClick={toggle}>
            {comparing ? "Stop comparing" : "Compare two times"}
          </Button>
        </span>
      </div>
    </section>
  );
}

/** Milliseconds, so that dragging past moments doesn't request each of them. */
const SETTLE_MS = 120;

type MomentSliderProps = {
  label: string;
  moments: ViewMoment[];
  at: string | null;
  from?: string | null;
  /** True if its right end is the latest state, or the last moment. */
  endsNow: boolean;
  onChange: (at: string | null) => void;
};

function MomentSlider({ label, moments, at, from = null, endsNow, onChange }: MomentSliderProps) {
  const id = useId();
  const exactWords = useExactWords();
  // Both sliders share one scale: one that may not reach the latest state stops one short of it.
  const last = endsNow ? moments.length : moments.length - 1;
  const [index, moveTo] = useSettled(Math.min(last, momentIndex(moments, at)), (next) => onChange(moments[next]?.at ?? null));
  const move = (next: number) => moveTo(Math.min(last, next));
  const moment = moments[index];
  const words = moment ? `${exactWords(Date.parse(moment.at))}, ${momentWords(moment)}` : "Latest";
  const first = from === null ? null : momentIndex(moments, from);
  return (
    <div className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-2">
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      <span className="min-w-0 truncate text-right text-12 max-rail:col-span-3 max-rail:row-start-2 max-rail:text-left" title={words}>
        {moment ? (
          <>
            <span className="text-muted">{momentWords(moment)}</span>{" "}
            <time dateTime={moment.at} className="font-mono">
              {exactWords(Date.parse(moment.at))}
            </time>
          </>
        ) : (
          <span className="text-muted">Latest</span>
        )}
      </span>
      <span className="flex max-rail:col-start-3">
        <IconButton
          size="sm"
          label={`${label}: previous change`}
          icon={<ChevronLeft />}
          disabled={index === 0}
          onClick={() => move(index - 1)}
        />
        <IconButton
          size="sm"
          label={`${label}: next change`}
          icon={<ChevronRight />}
          disabled={index === last}
          onClick={() => move(index + 1)}
        />
      </span>
      <div className="col-span-3">
        <MomentTrack moments={moments} index={index} from={first} />
        <input
          id={id}
          type="range"
          min={0}
          max={moments.length}
          step={1}
          value={index}
          aria-valuetext={words}
          onChange={(event) => move(Number(event.target.value))}
          className="moment-range -mt-1 block h-5 w-full cursor-pointer"
        />
      </div>
    </div>
  );
}

/** Shows own moves at once and reports them after a pause. Until the given index follows, the next step counts from what is shown. */
function useSettled(given: number, report: (index: number) => void): [number, (index: number) => void] {
  const [moved, setMoved] = useState<{ index: number; reported: boolean } | null>(null);
  const [seen, setSeen] = useState(given);
  const latest = useLatest({ given, report });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (seen !== given) {
    setSeen(given);
    if (moved?.reported) setMoved(null);
  }
  function move(index: number) {
    setMoved({ index, reported: false });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setMoved(index === latest.current.given ? null : { index, reported: true });
      latest.current.report(index);
    }, SETTLE_MS);
  }
  return [moved?.index ?? given, move];
}

const HEIGHT = 18;
const LOW = 7;
/** Above this, marks are thinner so that they don't merge into one bar. */
const MANY = 100;

type MomentTrackProps = { moments: ViewMoment[]; index: number; from: number | null };

/** Marks the moments above the slider's stops: the higher, the more events; failures in their own colour, later ones faint. */
function MomentTrack({ moments, index, from }: MomentTrackProps) {
  const fine = moments.length > MANY;
  const most = Math.max(1, ...moments.map(({ events }) => events));
  return (
    // Half the slider's thumb on either side, so that marks and stops line up.
    <div aria-hidden className="mx-2">
      <svg
        viewBox={`0 0 ${Math.max(1, moments.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-[18px] w-full overflow-visible"
      >
        <title>Event marks</title>
        {from === null ? null : (
          <rect x={Math.min(from, index)} y={0} width={Math.abs(index - from)} height={HEIGHT} className="fill-selected" />
        )}
        {moments.map((moment, at) => (
          <line
            key={moment.at}
            x1={at}
            x2={at}
            y1={HEIGHT}
            y2={HEIGHT - LOW - ((HEIGHT - LOW) * Math.log1p(moment.events - 1)) / Math.log1p(most)}
            vectorEffect="non-scaling-stroke"
            strokeWidth={at === index ? 3 : fine ? 1 : 2}
            className={markLook(moment, at, index)}
          />
        ))}
      </svg>
    </div>
  );
}

function markLook(moment: ViewMoment, at: number, index: number): string {
  if (at === index) return moment.failed ? "stroke-failed" : "stroke-accent";
  if (at > index) return "stroke-line-strong";
  return moment.failed ? "stroke-failed-mark" : "stroke-faint";
}

const loadForm = () => import("./moment-form.tsx").then((module) => module.MomentForm);
const MomentForm = lazyComponent(loadForm);
const MomentPopover = popoverWith(loadForm);

function GoToMoment({ onGo }: { onGo: (at: string) => void }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const go = (at: string) => {
    onGo(at);
    setOpen(false);
  };
  const trigger = (
    <Button size="sm" variant="ghost" icon={<CalendarClock />}>
      Go to a time
    </Button>
  );
  return (
    <MomentPopover trigger={trigger} label="Go to a time" align="end" open={open} onOpenChange={setOpen}>
      <MomentForm text={text} onText={setText} onGo={go} />
    </MomentPopover>
  );
}
