"use client";

import { type Command, useCommandList } from "#components/shell/commands";
import { Dialog } from "#components/ui/dialog";
import { Kbd } from "#components/ui/kbd";

const PALETTE: Command = { label: "Search or jump to a page, an id or an action", keys: "Ctrl K" };

type KeysSheetProps = { everywhere: Command[]; open: boolean; onOpenChange: (open: boolean) => void };

/** The keys of the page that is shown, and those that work on every page. */
export function KeysSheet({ everywhere, open, onOpenChange }: KeysSheetProps) {
  const labels = new Set(everywhere.map(({ label }) => label));
  const ofPage = useCommandList().filter(({ keys, label }) => keys !== undefined && !labels.has(label));
  return (
    <Dialog title="Keyboard shortcuts" open={open} onOpenChange={onOpenChange}>
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
