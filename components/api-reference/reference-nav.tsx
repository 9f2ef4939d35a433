"use client";

import { List } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { SearchInput } from "#components/ui/primitives/input";
import { PageLink } from "#components/ui/primitives/page-link";
import { countWords } from "#lib/contracts/format-count";
import { MethodBadge } from "./method-badge.tsx";

export type NavCall = { tag: string; href: string; method: string; path: string; summary: string };

export function ReferenceNav({ calls }: { calls: NavCall[] }) {
  const [text, setText] = useState("");
  const [openAt, setOpenAt] = useState<string | null>(null);
  const path = usePathname();
  const router = useRouter();
  const found = calls.filter((call) => matches(call, text));
  const tags = [...new Set(found.map(({ tag }) => tag))];
  const open = openAt === path || text !== "";
  return (
    <nav
      aria-label="API operations"
      className="flex w-60 shrink-0 flex-col gap-2 self-start max-lg:w-full lg:sticky lg:top-16 lg:max-h-[calc(100dvh-80px)]"
    >
      <search className="flex gap-2 p-0.5">
        <form
          className="min-w-0 flex-1"
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = found;
            if (first) router.push(first.href);
          }}
        >
          <SearchInput label="Search operations" value={text} onChange={({ target }) => setText(target.value)} />
        </form>
        <Button className="lg:hidden" icon={<List />} aria-expanded={open} onClick={() => setOpenAt(open ? null : path)}>
          All
        </Button>
      </search>
      <p role="status" className="sr-only">
        {text === "" ? "" : `${countWords(found.length, "operation")} found`}
      </p>
      <div className={cn("flex flex-col gap-3 overflow-y-auto pb-4 max-lg:max-h-[60dvh]", !open && "max-lg:hidden")}>
        {tags.map((tag) => (
          <section key={tag} aria-label={tag}>
            <h2 className="px-2 pb-0.5 text-12 text-muted first-letter:uppercase">{tag.replaceAll("-", " ")}</h2>
            <ul>
              {found
                .filter((call) => call.tag === tag)
                .map((call) => (
                  <li key={call.href}>
                    <PageLink
                      href={call.href}
                      title={`${call.method.toUpperCase()} ${call.path}`}
                      aria-current={path === call.href ? "page" : undefined}
                      className="-outline-offset-2 flex min-h-7 items-baseline gap-1 rounded-sm px-2 py-1 text-13 text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text"
                    >
                      <MethodBadge method={call.method} />
                      <span className="min-w-0">{call.summary}</span>
                    </PageLink>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {found.length === 0 ? (
          <p className="px-2 text-13 text-muted">
            No operation matches.{" "}
            <button type="button" className="text-accent-text underline underline-offset-2" onClick={() => setText("")}>
              Clear search
            </button>
          </p>
        ) : null}
      </div>
    </nav>
  );
}

/** True if every word is part of the operation's method, path, subject or summary. */
const matches = ({ tag, method, path, summary }: NavCall, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${tag} ${method} ${path} ${summary}`.toLowerCase().includes(word));
