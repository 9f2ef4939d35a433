"use client";

import { CalendarClock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { Popover } from "#components/ui/popover";

/** Any moment by its date and time, in the reader's own zone. */
export function GoToMoment({ onGo }: { onGo: (at: string) => void }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const at = Date.parse(text);
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
        <Field label="Date and time" hint="In your own time zone.">
          <Input type="datetime-local" step={1} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Button type="submit" variant="primary" disabled={Number.isNaN(at)}>
          Show that moment
        </Button>
      </form>
    </Popover>
  );
}
