"use client";

import { useState } from "react";
import { type Command, useCommandList, useCommands } from "#components/shell/commands";
import { useLive } from "#components/shell/live-provider";
import { Dialog } from "#components/ui/dialog";
import { Kbd } from "#components/ui/kbd";
import { toast } from "#components/ui/toast";

const PALETTE: Command = { label: "Search or jump to a page, an id or an action", keys: "Ctrl K" };

/** The keys that work on every page, and the sheet that tells of all of them. */
export function KeysHelp() {
  const [open, setOpen] = useState(false);
  const { paused, setPaused } = useLive();
  const everywhere: Command[] = [
    { label: "Keys", keys: "?", run: () => setOpen(true) },
    { label: "Go to the search", keys: "/", run: focusSearch },
    { label: paused ? "Resume the live feed" : "Pause the live feed", keys: "l", run: () => pause(!paused) },
  ];
  function pause(next: boolean) {
    setPaused(next);
    toast.info(next ? "The live feed is paused" : "The live feed goes on", {
      description: next ? "Pages stay as they are." : "What was missed follows.",
    });
  }
  useCommands(everywhere);
  const labels = new Set(everywhere.map(({ label }) => label));
  const ofPage = useCommandList().filter(({ keys, label }) => keys !== undefined && !labels.has(label));
  return (
    <Dialog title="Keys" open={open} onOpenChange={setOpen}>
      <div className="flex flex-col gap-5">
        {ofPage.length === 0 ? null : <KeyList title="On this page" commands={ofPage} />}
        <KeyList title="Everywhere" commands={[PALETTE, ...everywhere]} />
      </div>
    </Dialog>
  );
}

function KeyList({ title, commands }: { title: string; commands: Command[] }) {
  return (
    <section aria-label={title}>
      <h3 className="pb-1 text-12 text-muted">{title}</h3>
      <dl>
        {commands.map(({ label, keys }) => (
          <div key={label} className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-b-0">
            <dt className="text-13">{label}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys?.split(" ").map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The page's own search; where it has none, the palette. */
function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("search input, [role=search] input, input[type=search]");
  if (field) {
    field.focus();
    field.select();
  } else document.getElementById("palette")?.click();
}
