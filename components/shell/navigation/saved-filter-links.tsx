import { Bookmark, Users } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useSavedFilters } from "#components/records/filters/use-saved-filters";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { isSameFilter, parametersOf, savedFilterHref } from "#lib/client/saved-filters";

export function SavedFilterLinks({ onNavigate }: { onNavigate?: () => void }) {
  const data = useSavedFilters();
  const path = usePathname();
  const here = parametersOf(new URLSearchParams(useSearchParams()));
  if (!data || data.data.length === 0) return null;
  return (
    <div>
      <p className="px-2 pb-1 text-12 text-faint">Saved filters</p>
      <ul className="flex flex-col gap-px">
        {data.data.map((saved) => {
          const current = path === `/${saved.page}` && isSameFilter(saved.filter, here);
          const Icon = saved.shared ? Users : Bookmark;
          return (
            <li key={saved.id}>
              <PageLink
                href={savedFilterHref(saved)}
                prefetch={false}
                aria-current={current ? "page" : undefined}
                title={`${saved.name} · ${saved.page}${saved.shared ? ` · shared by ${saved.ownerName}` : ""}`}
                className={cn(
                  "flex h-8 items-center gap-2.5 rounded-md px-2 text-13 text-muted transition-colors hover:bg-hover hover:text-text max-rail:h-10",
                  current && "bg-hover font-medium text-text",
                )}
                {...(onNavigate ? { onClick: onNavigate } : {})}
              >
                <Icon aria-hidden className={cn("size-4 shrink-0", current ? "text-accent-text" : "text-faint")} />
                <span className="flex-1 truncate">{saved.name}</span>
                {saved.shared ? <span className="sr-only">shared</span> : null}
              </PageLink>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
