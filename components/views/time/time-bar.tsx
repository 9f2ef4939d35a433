"use client";

import { GitCompareArrows } from "lucide-react";
import { Button } from "#components/ui/primitives/button";
import { GoToMoment } from "#components/views/time/go-to-moment";
import { MomentSlider } from "#components/views/time/moment-slider";
import type { Moments } from "#components/views/time/use-moment";
import { useMoments } from "#lib/client/queries/views";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { ViewKind } from "#lib/contracts/views";

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
          <Button size="sm" variant="ghost" icon={<GitCompareArrows aria-hidden />} aria-pressed={comparing} onClick={toggle}>
            {comparing ? "Stop comparing" : "Compare two times"}
          </Button>
        </span>
      </div>
    </section>
  );
}
