"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, startTransition, useContext, useMemo, useOptimistic } from "react";
import { goTo, type Step } from "#lib/client/history";

type PageQuery = {
  path: string;
  query: URLSearchParams;
  go: (href: string, step?: Step) => void;
  /** Writes these parameters into the page's URL, null for none; the others stay. */
  change: (parameters: Record<string, string | null>, step?: Step) => void;
};

const Context = createContext<PageQuery | null>(null);

/** Keeps the query as written here until Next reports the changed URL, so that the next change starts from it. */
export function PageQueryProvider({ children }: { children: ReactNode }) {
  const path = usePathname();
  const shown = useSearchParams().toString();
  const [query, setQuery] = useOptimistic(shown);
  const value = useMemo(() => {
    const go = (href: string, step: Step = "own") =>
      startTransition(() => {
        const next = new URL(href, window.location.href).searchParams.toString();
        setQuery(next);
        goTo(href, step, next === shown);
      });
    const change = (parameters: Record<string, string | null>, step?: Step) => {
      const next = new URLSearchParams(query);
      for (const [name, value] of Object.entries(parameters)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      go(next.size === 0 ? path : `${path}?${next}`, step);
    };
    return { path, query: new URLSearchParams(query), go, change };
  }, [path, query, shown, setQuery]);
  return <Context value={value}>{children}</Context>;
}

/** Returns one for the whole page: its filter, order, tab and moment start from each other's changes. */
export function usePageQuery(): PageQuery {
  const value = useContext(Context);
  if (!value) throw new Error("usePageQuery is for pages within a PageQueryProvider");
  return value;
}

/** Keeps one parameter in the page's URL (`?tab=effects`), left out while it has its first value; Back undoes a change. */
export function useUrlParameter(name: string, first: string): [value: string, setValue: (value: string) => void] {
  const { query, change } = usePageQuery();
  return [query.get(name) ?? first, (value) => change({ [name]: value === first ? null : value })];
}
