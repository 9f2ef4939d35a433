"use client";

import { type FormEvent, useEffect, useRef } from "react";
import { Input } from "#components/ui/primitives/input";
import type { AlertRule, ChangeAlertRuleBody } from "#lib/contracts/alerts/rules";

type ThresholdProps = {
  rule: AlertRule;
  threshold: NonNullable<AlertRule["threshold"]>;
  disabled: boolean;
  /** Resolves when the change is saved or has failed. */
  onSave: (body: ChangeAlertRuleBody, done: string) => Promise<unknown>;
};

/** Saves with Enter or when the field is left; an empty field means the usual value. */
export function Threshold({ rule: { title }, threshold: { value, usual, least, most, unit }, disabled, onSave }: ThresholdProps) {
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
    <form onSubmit={submit} className="flex items-center gap-2 text-12 text-muted">
      <Input
        ref={field}
        name="threshold"
        type="number"
        aria-label={`${title}: ${unit}`}
        className="h-7 w-20 tabular-nums"
        min={least}
        max={most}
        defaultValue={value}
        disabled={disabled}
        onBlur={({ currentTarget }) => leave(currentTarget)}
      />
      <span className="w-36">{unit}</span>
    </form>
  );
}
