"use client";

import { Command, defaultFilter } from "cmdk";
import { ArrowRight, LogOut, Search, Zap } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useCommandList } from "#components/shell/commands";
import { leave } from "#components/shell/leave";
import { navGroups, SETTINGS_PAGES } from "#components/shell/navigation";
import { THEMES } from "#components/shell/themes";
import { usePaletteText } from "#components/shell/use-palette-text";
import type { TypedAhead } from "#components/shell/use-typed-ahead";
import { Kbd } from "#components/ui/kbd";
import type { useFocusBack } from "#components/ui/use-focus-back";
import { jumpTarget } from "#lib/client/jump";

type PaletteWindowProps = {
  sandbox: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Gives what was typed before the palette was there. */
  takeTyped: () => TypedAhead;
  focusBack: ReturnType<typeof useFocusBack>["content"];
};

/** What Ctrl K opens: every page, any id, the theme, sign-out. */
export function PaletteWindow({ sandbox, open, onOpenChange, takeTyped, focusBack }: PaletteWindowProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...focusBack}
          aria-describedby={undefined}
          className="enter-rise fixed top-[14vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-[560px] -translate-x-1/2 overflow-hidden rounded-md border border-line-strong bg-raised shadow-raised"
        >
          <Radix.Title className="sr-only">Search or jump</Radix.Title>
          <Commands sandbox={sandbox} takeTyped={takeTyped} close={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const SEARCH_EVENTS = "search events";

const RESEMBLES = 0.1;

/**
 * What is typed can always be searched for, last. What only resembles it,
 * letter by letter, is left out: Enter must not do what nobody named.
 */
function rank(value: string, typed: string): number {
  if (value === SEARCH_EVENTS) return RESEMBLES;
  const score = defaultFilter(value, typed);
  return score > RESEMBLES ? score : 0;
}

type CommandsProps = Pick<PaletteWindowProps, "sandbox" | "takeTyped"> & { close: () => void };

function Commands({ sandbox, takeTyped, close }: CommandsProps) {
  const { text, setText, input } = usePaletteText(takeTyped);
  const router = useRouter();
  const { setTheme } = useTheme();
  const commands = useCommandList().filter(({ run }) => run);
  const target = jumpTarget(text);
  const go = (href: string) => {
    close();
    router.push(href);
  };
  return (
    <Command label="Search or jump" loop filter={rank}>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-faint" />
        <Command.Input
          ref={input}
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder="A page, an action, or an id: evt_…, doc_…, task_…"
          className="h-12 min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-faint"
        />
        <Kbd>Esc</Kbd>
      </div>
      <Command.List className="max-h-[min(400px,56vh)] overflow-y-auto p-1">
        <Command.Empty className="px-3 py-6 text-center text-13 text-muted">No page or action matches.</Command.Empty>
        {target ? (
          <Group heading="Jump">
            <Item value={text} icon={<ArrowRight aria-hidden />} onSelect={() => go(target.href)}>
              Open {target.word} <span className="font-mono text-12">{text.trim()}</span>
            </Item>
          </Group>
        ) : null}
        {commands.length === 0 ? null : (
          <Group heading="Do">
            {commands.map(({ label, keys, run }) => (
              <Item
                key={label}
                value={label}
                icon={<Zap aria-hidden />}
                {...(keys === undefined ? {} : { keys })}
                onSelect={() => {
                  close();
                  // The palette gives the focus back first: what the command opens may then take it.
                  setTimeout(() => run?.());
                }}
              >
                {label}
              </Item>
            ))}
          </Group>
        )}
        <Group heading="Go to">
          {[...navGroups(sandbox).flatMap(({ items }) => items), ...SETTINGS_PAGES].map((item) => (
            <Item key={item.href} value={item.label} icon={<item.icon aria-hidden />} onSelect={() => go(item.href)}>
              {item.label}
            </Item>
          ))}
        </Group>
        <Group heading="Appearance and account">
          {THEMES.map((theme) => (
            <Item
              key={theme.value}
              value={`Theme ${theme.label}`}
              icon={theme.icon}
              onSelect={() => {
                setTheme(theme.value);
                close();
              }}
            >
              {`Theme: ${theme.label.toLowerCase()}`}
            </Item>
          ))}
          <Item value="Sign out" icon={<LogOut aria-hidden />} onSelect={() => void leave()}>
            Sign out
          </Item>
        </Group>
        <Group heading="Search">
          <Item value={SEARCH_EVENTS} icon={<Search aria-hidden />} onSelect={() => go(`/events?q=${encodeURIComponent(text.trim())}`)}>
            Search events{text.trim() === "" ? null : " for "}
            <span className="font-mono text-12">{text.trim()}</span>
          </Item>
        </Group>
      </Command.List>
    </Command>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  );
}

type ItemProps = { value: string; icon: ReactNode; keys?: string; onSelect: () => void; children: ReactNode };

function Item({ value, icon, keys, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-13 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys === undefined ? null : <Kbd>{keys}</Kbd>}
    </Command.Item>
  );
}
