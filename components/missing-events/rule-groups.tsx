"use client";

import { useQuery } from "@tanstack/react-query";
import { useSteadyOrder } from "#components/ui/lists/use-steady-order";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { missingEventRulesQuery } from "#lib/client/queries/missing-events";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { MissingEvent, MissingEventRule } from "#lib/contracts/missing-events";
import { MissingEventRow } from "./missing-event-row.tsx";
import { SetAside } from "./set-aside.tsx";

const SHOWN = 5;

type RuleGroupsProps = { loaded: MissingEvent[]; canDismiss: boolean; onShow: (rule: MissingEventRule) => void };

export function RuleGroups({ loaded, canDismiss, onShow }: RuleGroupsProps) {
  const { data } = useQuery(missingEventRulesQuery);
  const { rows: groups, listeners } = useSteadyOrder(data?.data ?? [], ({ rule }) => rule);
  return (
    <div className="flex flex-col gap-6" {...listeners}>
      {groups.map(({ rule, what, count, lastAt }) => {
        const shown = loaded.filter((each) => each.rule === rule).slice(0, SHOWN);
        const [first] = shown;
        const alike = shown.length > 1 && shown.every(({ why, fix }) => why === first?.why && fix === first.fix);
        return (
          <section key={rule} aria-label={what} className="flex flex-col">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line pb-2">
              <h2 className="min-w-0 flex-1 basis-64 break-words text-14 font-medium">
                {what} <span className="font-normal text-muted tabular-nums">{formatNumber(count)}</span>
                <span className="block text-12 font-normal text-muted">
                  Newest <RelativeTime at={lastAt} />
                </span>
              </h2>
              <SetAside filter={{ rule }} what={what} count={count} allowed={canDismiss} />
              {alike && first ? (
                <div className="max-w-[90ch] basis-full break-words text-13 text-muted">
                  <p>{first.why}</p>
                  <p>{first.fix}</p>
                </div>
              ) : null}
            </div>
            <ul aria-label={`${what}, newest first`}>
              {shown.map((missingEvent) => (
                <MissingEventRow key={missingEvent.id} missingEvent={missingEvent} canDismiss={canDismiss} grouped={alike} />
              ))}
            </ul>
            {count > shown.length ? (
              <Button
                size="sm"
                variant="ghost"
                className="mt-2 self-start"
                aria-label={`Show all ${formatNumber(count)}: ${what}`}
                onClick={() => onShow(rule)}
              >
                {`Show all ${formatNumber(count)}`}
              </Button>
            ) : null}
          </section>
        );
      })}
    </div>
  );
}
