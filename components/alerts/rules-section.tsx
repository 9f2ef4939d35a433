"use client";

import { useQuery } from "@tanstack/react-query";
import { BellOff } from "lucide-react";
import { StateBadge } from "#components/records/badges/state-badge";
import { toast } from "#components/ui/feedback/toast";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { DropdownMenu } from "#components/ui/overlay/dropdown-menu";
import { Button } from "#components/ui/primitives/button";
import { Switch } from "#components/ui/primitives/switch";
import { RelativeTime } from "#components/ui/time/relative-time";
import { alertRulesQuery, useChangeAlertRule } from "#lib/client/queries/alerts";
import type { AlertRule, ChangeAlertRuleBody } from "#lib/contracts/alerts/rules";
import { Threshold } from "./threshold.tsx";

export function RulesSection({ canManage }: { canManage: boolean }) {
  const { data, error, isPending, refetch } = useQuery(alertRulesQuery);
  return (
    <Section
      title="Rules"
      description="What triggers an alert. Alerts repeat daily until the problem ends; recoveries are sent to the same channels."
    >
      {isPending ? (
        <LoadingState what="the rules" rows={9} />
      ) : !data ? (
        <ErrorState what="the rules" error={error} onRetry={() => void refetch()} />
      ) : (
        <ul aria-label="Rules" className="border-t border-line">
          {data.map((rule) => (
            <RuleRow key={rule.kind} rule={rule} canManage={canManage} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const MUTES = [
  { value: "1h", label: "Mute for 1 hour" },
  { value: "1d", label: "Mute for a day" },
  { value: "7d", label: "Mute for a week" },
] as const;

function RuleRow({ rule, canManage }: { rule: AlertRule; canManage: boolean }) {
  const { kind, title, description, enabled, open, mutedUntil, mutedBy, threshold } = rule;
  const change = useChangeAlertRule(kind);
  const save = (body: ChangeAlertRuleBody, done: string) =>
    change.mutateAsync(body).then(
      () => toast.success(done),
      (error: Error) => toast.error(`Couldn't change ${title}`, { description: error.message }),
    );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-72">
        <Switch
          checked={enabled}
          disabled={!canManage || change.isPending}
          onCheckedChange={(on) => void save({ enabled: on }, `${title}: ${on ? "on" : "off"}`)}
        >
          <span className="font-medium">{title}</span>
        </Switch>
        <p className="mt-0.5 pl-10 text-12 text-muted">{description}</p>
        <p className="mt-1 flex flex-wrap gap-2 pl-10 empty:hidden">
          {open > 0 ? <StateBadge state="failed">{open} open</StateBadge> : null}
          {mutedUntil === null ? null : (
            <StateBadge state="neutral">
              Muted by {mutedBy}, ends <RelativeTime at={mutedUntil} />
            </StateBadge>
          )}
        </p>
      </div>
      {threshold ? <Threshold rule={rule} threshold={threshold} disabled={!canManage} onSave={save} /> : null}
      {!canManage ? null : mutedUntil ? (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Unmute ${title}`}
          onClick={() => void save({ muteFor: "none" }, `${title}: unmuted`)}
        >
          Unmute
        </Button>
      ) : (
        <DropdownMenu
          label={`Mute ${title}`}
          align="end"
          trigger={
            <Button size="sm" variant="ghost" icon={<BellOff aria-hidden />} aria-label={`Mute ${title}`}>
              Mute
            </Button>
          }
          entries={MUTES.map(({ value, label }) => ({
            kind: "item" as const,
            label,
            onSelect: () => void save({ muteFor: value }, `${title}: muted`),
          }))}
        />
      )}
    </li>
  );
}
