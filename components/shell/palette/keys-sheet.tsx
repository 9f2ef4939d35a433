import { Dialog } from "#components/ui/overlay/dialog";
import { CommandKey, Kbd } from "#components/ui/primitives/kbd";
import { type Command, useCommandList } from "./commands.tsx";

const PALETTE: Command = { label: "Search or jump to a page, ID or action", keys: "Ctrl K" };

type KeysSheetProps = { everywhere: Command[]; rows: Command[]; goTo: Command[]; open: boolean; onOpenChange: (open: boolean) => void };

export function KeysSheet({ everywhere, rows, goTo, open, onOpenChange }: KeysSheetProps) {
  const labels = new Set([...everywhere, ...rows, ...goTo].map(({ label }) => label));
  const ofPage = useCommandList().filter(({ keys, label }) => keys !== undefined && !labels.has(label));
  return (
    <Dialog title="Keyboard shortcuts" open={open} onOpenChange={onOpenChange} className="max-w-[760px]">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section aria-label="Keys" tabIndex={0} className="gap-8 min-[700px]:columns-2 [&>section]:mb-5 [&>section]:break-inside-avoid">
        {ofPage.length === 0 ? null : <KeyList title="On this page" commands={ofPage} />}
        <KeyList title="Rows of a list" commands={rows} />
        <KeyList title="Everywhere" commands={[PALETTE, ...everywhere]} />
        <KeyList title="Go to" commands={goTo} />
      </section>
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
              {keys?.split(" ").map((key) => (key === "Ctrl" ? <CommandKey key={key} /> : <Kbd key={key}>{key}</Kbd>))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
