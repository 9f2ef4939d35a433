import type { HTMLAttributes, ReactNode, Ref, TdHTMLAttributes, ThHTMLAttributes } from "react";
import { RowKeys } from "#components/ui/lists/row-keys";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";

/** Renders 36 px rows with arrow keys. Below 900 px it scrolls sideways in its frame (`wide`: below 1,440 px), header included. */
export function Table({
  label,
  wide = false,
  className,
  children,
}: {
  label: string;
  wide?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <RowKeys
      className={cn(
        "max-rail:overflow-x-auto max-rail:[--sticky-top:0px]",
        wide && "max-[1439px]:overflow-x-auto max-[1439px]:[--sticky-top:0px]",
        className,
      )}
    >
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-left text-13">
        {children}
      </table>
    </RowKeys>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead>
      <tr>{children}</tr>
    </thead>
  );
}

export const TableBody = (props: HTMLAttributes<HTMLTableSectionElement>) => <tbody {...props} />;

type Align = { align?: "left" | "right" | undefined };
const side = (align: "left" | "right") => (align === "right" ? "text-right" : "text-left");

export function HeadCell({ align = "left", className, children, ...rest }: Omit<ThHTMLAttributes<HTMLTableCellElement>, "align"> & Align) {
  return (
    <th
      scope="col"
      className={cn(
        "sticky top-(--sticky-top) z-10 h-8 whitespace-nowrap border-b border-line bg-surface px-2 text-12 font-medium text-faint first:pl-3 last:pr-3",
        side(align),
        className,
      )}
      {...rest}
    >
      {children}
    </th>
  );
}

type RowProps = HTMLAttributes<HTMLTableRowElement> & { selected?: boolean; ref?: Ref<HTMLTableRowElement> };

export function Row({ selected = false, className, children, ...rest }: RowProps) {
  return (
    <tr
      aria-selected={selected || undefined}
      className={cn("group/row relative h-9 hover:bg-hover", selected && "bg-selected hover:bg-selected", className)}
      {...rest}
    >
      {children}
    </tr>
  );
}

export function Cell({ align = "left", className, children, ...rest }: Omit<TdHTMLAttributes<HTMLTableCellElement>, "align"> & Align) {
  return (
    <td className={cn("h-9 whitespace-nowrap border-b border-line px-2 first:pl-3 last:pr-3", side(align), className)} {...rest}>
      {children}
    </td>
  );
}

/** Covers the row with its only link. Other controls need `relative z-1` to stay above it. */
export function RowLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <PageLink href={href} data-row-link className={cn("font-medium text-text after:absolute after:inset-0 after:content-['']", className)}>
      {children}
    </PageLink>
  );
}
