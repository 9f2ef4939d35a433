"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { startTransition, useOptimistic } from "react";
import { goTo, type Step } from "#lib/client/history";

type PageQuery = {
  path: string;
  query: URLSearchParams;
  /** Writes another URL of this page, without requesting the page again. */
  go: (href: string, step?: Step) => void;
};

/**
 * The page's path and query. Next hands a changed URL on in a transition, and several changes one after the other;
 * until the last has come, the query is the one that was written here: what is pressed or typed next starts from it.
 */
export function usePageQuery(): PageQuery {
  const path = usePathname();
  const [query, setQuery] = useOptimistic(useSearchParams().toString());
  const go = (href: string, step?: Step) =>
    startTransition(() => {
      setQuery(new URL(href, window.location.href).searchParams.toString());
      goTo(href, step);
    });
  return { path, query: new URLSearchParams(query), go };
}
