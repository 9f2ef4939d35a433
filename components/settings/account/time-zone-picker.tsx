"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { toast } from "#components/ui/feedback/toast";
import { ChoiceButtons } from "#components/ui/forms/choice-buttons";
import { type TimeZoneChoice, useTimeZoneChoice } from "#components/ui/time/time-zone";
import { useExactWords } from "#components/ui/time/use-exact-time";
import { changePreferences } from "#lib/client/queries/auth/account";

const CHOICES = [
  { value: "local", label: "Local time" },
  { value: "utc", label: "UTC" },
] as const;

/** Sets the time zone of every page, in all browsers of this person. */
export function TimeZonePicker() {
  const chosen = useTimeZoneChoice();
  const router = useRouter();
  const exactWords = useExactWords();
  const [example] = useState(() => Date.now());
  const [pending, startTransition] = useTransition();
  const choose = (timeZone: TimeZoneChoice) =>
    startTransition(async () => {
      try {
        await changePreferences({ timeZone });
        router.refresh();
      } catch (error) {
        toast.error("Couldn't change the time zone", { description: (error as Error).message });
      }
    });
  return (
    <div aria-busy={pending} className="flex flex-wrap items-center gap-3">
      <ChoiceButtons legend="Time zone" choices={CHOICES} chosen={chosen} onChoose={choose} />
      <span suppressHydrationWarning className="font-mono text-12 text-muted">
        {exactWords(example)}
      </span>
    </div>
  );
}
