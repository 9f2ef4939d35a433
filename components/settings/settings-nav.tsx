"use client";

import { ChevronDown } from "lucide-react";
import { usePathname } from "next/navigation";
import { currentOf } from "#components/ui/layout/tabs";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Button } from "#components/ui/primitives/button";
import { PageLink } from "#components/ui/primitives/page-link";

export type SettingsGroup = { title: string; pages: { href: string; label: string }[] };

export function SettingsNav({ groups }: { groups: SettingsGroup[] }) {
  const pages = groups.flatMap((group) => group.pages);
  const current = currentOf(pages, usePathname());
  const label = pages.find(({ href }) => href === current)?.label ?? "Settings";
  return (
    <>
      <nav aria-label="Settings" className="sticky top-16 w-44 shrink-0 self-start max-lg:hidden">
        {groups.map(({ title, pages: own }) => (
          <section key={title} aria-label={title} className="mb-4">
            <h2 className="px-2 pb-1 text-12 text-muted">{title}</h2>
            <ul>
              {own.map((page) => (
                <li key={page.href}>
                  <PageLink
                    href={page.href}
                    aria-current={page.href === current ? "page" : undefined}
                    className="flex h-8 items-center rounded-sm px-2 text-13 text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text"
                  >
                    {page.label}
                  </PageLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className="lg:hidden">
        <DropdownMenu
          label="Settings pages"
          entries={groups.flatMap(menuOf)}
          trigger={
            <Button>
              {label} <ChevronDown className="size-4 text-faint" />
            </Button>
          }
        />
      </div>
    </>
  );
}

const menuOf = ({ title, pages }: SettingsGroup): MenuEntry[] => [
  { kind: "label", label: title },
  ...pages.map(({ href, label }) => ({ label, href })),
];
