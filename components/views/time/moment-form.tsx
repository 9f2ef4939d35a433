import type { FormEvent } from "react";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { momentOfField, useTimeZoneChoice } from "#components/ui/time-format";

type MomentFormProps = {
  /** What was typed: kept by the parent, so that it is still there when the form opens again. */
  text: string;
  onText: (text: string) => void;
  /** ISO 8601. */
  onGo: (at: string) => void;
};

/** Asks for a date and time, in the time zone that the page shows. */
export function MomentForm({ text, onText, onGo }: MomentFormProps) {
  const choice = useTimeZoneChoice();
  const at = momentOfField(text, choice).getTime();
  const unknown = Number.isNaN(at);
  const zone = choice === "utc" ? "In UTC." : "In your time zone.";

  function go(event: FormEvent) {
    event.preventDefault();
    if (unknown) return;
    onGo(new Date(at).toISOString());
  }

  return (
    <form data-kept onSubmit={go} className="flex flex-col gap-3">
      <Field label="Date and time" hint={zone}>
        <Input type="datetime-local" step={1} value={text} onChange={({ target }) => onText(target.value)} />
      </Field>
      <Button type="submit" variant="primary" disabled={unknown}>
        Go to this time
      </Button>
    </form>
  );
}
