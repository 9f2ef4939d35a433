"use client";

import { CopyIcon } from "#components/ui/copy-icon";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { visible } from "#lib/contracts/api/plain-text";
import type { NamedResource } from "#lib/contracts/events/events";

/** Shortens an ID in the middle for the eye, keeping its prefix and end: `evt_4kq2…9xz1`. */
export function shortId(id: string, length = 16): string {
  if (id.length <= length) return visible(id);
  const prefix = /^[a-z]{2,5}_/.exec(id)?.[0].length ?? 0;
  const head = Math.max(prefix + 4, Math.ceil((length - 1) / 2));
  return visible(`${id.slice(0, head)}…${id.slice(-4)}`);
}

type ResourceIdProps = {
  id: string;
  href?: string;
  whole?: boolean;
  /** Plain text, for use inside another link. */
  inert?: boolean;
  className?: string;
};

export function ResourceId({ id, href, whole = false, inert = false, className }: ResourceIdProps) {
  const shown = whole ? visible(id) : shortId(id);
  const title = visible(id);
  const look = cn("font-mono text-12", whole && "break-all", className);
  if (inert) {
    return (
      <bdi title={title} className={look}>
        {shown}
      </bdi>
    );
  }
  return (
    <span className="group/id relative z-1 inline-flex max-w-full items-center gap-1.5">
      {href === undefined ? (
        <span title={title} className={look}>
          {shown}
        </span>
      ) : (
        <PageLink href={href} title={title} className={cn(look, "rounded-sm text-accent-text hover:underline")}>
          {shown}
        </PageLink>
      )}
      <CopyIcon value={id} className="group-hover/id:opacity-100" />
    </span>
  );
}

type ResourceNameProps = { resource: Pick<NamedResource, "id" | "name">; href?: string | null | undefined; className?: string };

export function ResourceName({ resource: { id, name }, href, className }: ResourceNameProps) {
  if (name === undefined) return <ResourceId id={id} {...(href ? { href } : {})} />;
  const look = cn("min-w-0 truncate", className);
  const title = visible(`${name}\n${id}`);
  const shown = <bdi>{visible(name)}</bdi>;
  return (
    <span className="group/id relative z-1 inline-flex min-w-0 max-w-full items-center gap-1.5 align-bottom">
      {href ? (
        <PageLink href={href} title={title} className={cn(look, "rounded-sm text-accent-text hover:underline")}>
          {shown}
        </PageLink>
      ) : (
        <span title={title} className={look}>
          {shown}
        </span>
      )}
      <CopyIcon value={id} className="shrink-0 group-hover/id:opacity-100" />
    </span>
  );
}

export type Beside = Pick<NamedResource, "id"> & { name?: string | undefined };

/** What an event is about, in grey beside its title. */
export const BesideTitle = ({ id, name }: Partial<Beside>) => (
  <bdi title={visible(id ?? "")} className={cn("ml-2 text-12 text-faint max-[480px]:hidden", name === undefined && "font-mono")}>
    {visible(name ?? id ?? "")}
  </bdi>
);
