"use client";

import { Command, defaultFilter } from "cmdk";
import { ArrowRight, LogOut, Search, Zap } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useCommandList } from "#components/shell/commands";
import { leave } from "#components/shell/leave";
import { navGroups, SETTINGS_PAGES } from "#components/shell/navigation";
import { THEMES } from "#components/shell/theme-choice";
import { Kbd } from "#components/ui/kbd";
import { useFocusBack } from "#components/ui/use-focus-back";
import { jumpTarget } from "#lib/client/jump";

/** Ctrl K or Cmd K: every page, any id, the theme, sign-out. */
export function CommandPalette({ sandbox }: { sandbox: boolean }) {
  const [open, setOpen] = useState(false);
  const focusBack = useFocusBack();
  const remember = useRef(focusBack.remember);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      if (!(event.target instanceof Element && event.target.closest("[role=dialog]"))) remember.current();
      setOpen((before) => !before);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (next) focusBack.remember();
        setOpen(next);
      }}
    >
      <Radix.Trigger
        id="palette"
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-sunken px-2 text-12 text-muted hover:border-line-strong hover:text-text md:w-60"
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1 text-left max-md:sr-only">Search or jump</span>
        <span aria-hidden className="hidden gap-0.5 md:flex">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...focusBack.content}
          aria-describedby={undefined}
          className="enter-rise fixed top-[14vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-[560px] -translate-x-1/2 overflow-hidden rounded-md border border-line-strong bg-raised shadow-raised"
        >
          <Radix.Title className="sr-only">Search or jump</Radix.Title>
          <Commands sandbox={sandbox} close={() => setOpen(false)} />
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

function Commands({ sandbox, close }: { sandbox: boolean; close: () => void }) {
  const [text, setText] = useState("");
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
