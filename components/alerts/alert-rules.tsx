import { useQuery } from "@tanstack/react-query";
import { BellOff } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { TypeChoices } from "#components/records/type-choices";
import { FormDialog } from "#components/shell/form-dialog";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { withFallback } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { StateBadge } from "#components/ui/primitives/badge";
import { RowButton } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Switch } from "#components/ui/primitives/switch";
import { RelativeTime } from "#components/ui/relative-time";
import { alertRulesQuery, useChangeAlertRule } from "#lib/client/queries/alerts";
import type { AlertRule, ChangeAlertRuleBody } from "#lib/contracts/alerts";
import { typesWords } from "#lib/contracts/events/event-filters";
import { countWords } from "#lib/contracts/format-count";

export function RulesSection({ canManage, types }: { canManage: boolean; types: string[] }) {
  const { data, fallback } = withFallback(useQuery(alertRulesQuery), { what: "the rules", rows: 9 });
  return (
    <Section
      title="Rules"
      description="What triggers an alert. Alerts repeat daily until the problem ends; recoveries are sent to the same channels."
    >
      {!data ? (
        fallback
      ) : (
        <ul aria-label="Rules" className="border-t border-line">
          {data.map((rule) => (
            <RuleRow key={rule.kind} rule={rule} canManage={canManage} known={types} />
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

function RuleRow({ rule, canManage, known }: { rule: AlertRule; canManage: boolean; known: string[] }) {
  const { kind, title, description, enabled, open, mutedUntil, mutedBy, threshold, types } = rule;
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
              Muted by {mutedBy}, ends <RelativeTime at={mutedUntil} ahead />
            </StateBadge>
          )}
        </p>
      </div>
      {threshold ? <Threshold rule={rule} threshold={threshold} disabled={!canManage} onSave={save} /> : null}
      {types ? <RuleTypes kind={kind} title={title} types={types} known={known} canManage={canManage} /> : null}
      {!canManage ? null : mutedUntil ? (
        <RowButton aria-label={`Unmute ${title}`} onClick={() => void save({ muteFor: "none" }, `${title}: unmuted`)}>
          Unmute
        </RowButton>
      ) : (
        <DropdownMenu
          label={`Mute ${title}`}
          trigger={
            <RowButton icon={<BellOff />} aria-label={`Mute ${title}`}>
              Mute
            </RowButton>
          }
          entries={MUTES.map(({ value, label }) => ({ label, onSelect: () => void save({ muteFor: value }, `${title}: muted`) }))}
        />
      )}
    </li>
  );
}

type RuleTypesProps = { kind: AlertRule["kind"]; title: string; types: string[]; known: string[]; canManage: boolean };

/** Limits a rule to types of events that the log holds, of any source. */
function RuleTypes({ kind, title, types, known, canManage }: RuleTypesProps) {
  const [chosen, setChosen] = useState<string[] | null>(null);
  const change = useChangeAlertRule(kind);
  const words = types.length > 2 ? countWords(types.length, "type") : typesWords(types);
  if (!canManage) return <span className="text-12 text-muted">{words}</span>;
  return (
    <>
      <RowButton aria-label={`Event types of ${title}: ${words}`} onClick={() => setChosen(types)}>
        <span className="max-w-44 truncate">{words}</span>
      </RowButton>
      {chosen === null ? null : (
        <FormDialog
          onClose={() => setChosen(null)}
          className="max-w-[640px]"
          title={`Event types of ${title}`}
          failed="Couldn't change the event types"
          submitLabel="Save event types"
          onSubmit={() => change.mutateAsync({ types: chosen })}
        >
          <TypeChoices known={known} chosen={chosen} onChange={setChosen} />
          <p className="text-12 text-muted">Failures of other types alert nobody. Alerts that are open stay until they end.</p>
        </FormDialog>
      )}
    </>
  );
}

type ThresholdProps = {
  rule: AlertRule;
  threshold: NonNullable<AlertRule["threshold"]>;
  disabled: boolean;
  /** Resolves when the change is saved or has failed. */
  onSave: (body: ChangeAlertRuleBody, done: string) => Promise<unknown>;
};

/** Saves with Enter or when the field is left; an empty field means the usual value. */
function Threshold({ rule: { title }, threshold: { value, usual, least, most, unit }, disabled, onSave }: ThresholdProps) {
  const field = useRef<HTMLInputElement>(null);
  /** The value being saved: Enter and then leaving the field save it once. */
  const sent = useRef<number | null>(null);
  const known = useRef(String(value));
  useEffect(() => {
    // Text that is being typed is kept.
    if (field.current?.value === known.current) field.current.value = String(value);
    known.current = String(value);
  }, [value]);
  async function save(input: HTMLInputElement) {
    if (!input.reportValidity()) return;
    const next = input.value === "" ? usual : Number(input.value);
    if (next === (sent.current ?? value)) return;
    sent.current = next;
    await onSave({ threshold: next === usual ? null : next }, `${title}: from ${next} ${unit}`);
    if (sent.current === next) sent.current = null;
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (field.current) void save(field.current);
  }
  function leave(input: HTMLInputElement) {
    void save(input);
    if (input.value === "" && input.validity.valid) input.value = String(usual);
  }
  return (
    <form onSubmit={submit}>
      <Field label={`${title}: ${unit}`} hideLabel>
        <div className="flex items-center gap-2 text-12 text-muted">
          <Input
            ref={field}
            name="threshold"
            type="number"
            className="h-7 w-20 tabular-nums"
            min={least}
            max={most}
            defaultValue={value}
            disabled={disabled}
            onBlur={({ currentTarget }) => leave(currentTarget)}
          />
          <span className="w-36">{unit}</span>
        </div>
      </Field>
    </form>
  );
}
