"use client";

import { CalendarClock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Popover } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { momentOfField, useTimeZoneChoice } from "#components/ui/time/time-zone";

export function GoToMoment({ onGo }: { onGo: (at: string) => void }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const choice = useTimeZoneChoice();
  const at = momentOfField(text, choice).getTime();
  function go(event: FormEvent) {
    event.preventDefault();
    if (Number.isNaN(at)) return;
    onGo(new Date(at).toISOString());
    setOpen(false);
  }
  const trigger = (
    <Button size="sm" variant="ghost" icon={<CalendarClock aria-hidden />}>
      Go to a time
    </Button>
  );
  return (
    <Popover trigger={trigger} label="Go to a time" align="end" open={open} onOpenChange={setOpen}>
      <form onSubmit={go} className="flex flex-col gap-3">
        <Field label="Date and time" hint={choice === "utc" ? "In UTC." : "In your time zone."}>
          <Input type="datetime-local" step={1} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Button type="submit" variant="primary" disabled={Number.isNaN(at)}>
          Go to this time
        </Button>
      </form>
    </Popover>
  );
}
