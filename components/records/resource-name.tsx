"use client";

import { CopyIcon } from "#components/ui/json/copy-icon";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import type { NamedResource } from "#lib/contracts/events/events";
import { ResourceId } from "./resource-id.tsx";

type ResourceNameProps = { resource: Pick<NamedResource, "id" | "name">; href?: string | null | undefined; className?: string };

export function ResourceName({ resource: { id, name }, href, className }: ResourceNameProps) {
  if (name === undefined) return <ResourceId id={id} {...(href ? { href } : {})} />;
  const look = cn("min-w-0 truncate", className);
  const title = `${name}\n${id}`;
  return (
    <span className="group/id relative z-1 inline-flex min-w-0 max-w-full items-center gap-1.5 align-bottom">
      {href ? (
        <PageLink href={href} title={title} className={cn(look, "rounded-sm text-accent-text hover:underline")}>
          {name}
        </PageLink>
      ) : (
        <span title={title} className={look}>
          {name}
        </span>
      )}
      <CopyIcon value={id} className="shrink-0 group-hover/id:opacity-100" />
    </span>
  );
}
