import { RotateCw, X } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Button } from "#components/ui/primitives/button";
import { countWords } from "#lib/contracts/format-count";
import type { Selection } from "./event-table.tsx";

const RedeliverDialog = lazyComponent(() => import("#components/records/redeliver-dialog").then((module) => module.RedeliverDialog));

export function SelectionBar({ selection, canRedeliver }: { selection: Selection; canRedeliver: boolean }) {
  const [open, setOpen] = useState(false);
  const count = selection.ticked.length;
  const words = countWords(count, "event");
  return (
    <section
      aria-label="Selection"
      className="enter-rise sticky bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-3 rounded-md border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-raised max-rail:bottom-20"
    >
      <p role="status" className="text-13 font-medium">{`${words} selected`}</p>
      {canRedeliver ? (
        <Button variant="primary" size="sm" icon={<RotateCw aria-hidden />} data-on-key="r" onClick={() => setOpen(true)}>
          {`Re-deliver ${words}`}
        </Button>
      ) : null}
      <Button variant="ghost" size="sm" icon={<X aria-hidden />} onClick={() => selection.set([])}>
        Clear
      </Button>
      {open ? <RedeliverDialog set={{ eventIds: selection.ticked.map(({ id }) => id) }} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}
