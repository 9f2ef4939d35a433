import Link from "next/link";
import type { ReactNode } from "react";
import { type ButtonLook, buttonLook } from "#components/ui/button";
import { cn } from "#components/ui/cn";

type LinkButtonProps = ButtonLook & {
  href: string;
  icon?: ReactNode;
  className?: string;
  target?: "_blank" | "_self";
  /** A file to be saved instead of a page to be shown. */
  download?: boolean;
  "aria-label"?: string;
  children: ReactNode;
};

/** A link that looks like a button: it goes somewhere, it changes nothing. */
export function LinkButton({ href, variant, size, icon, className, download = false, children, ...rest }: LinkButtonProps) {
  return (
    <Link href={href} className={cn(buttonLook({ variant, size }), className)} {...(download && { download, prefetch: false })} {...rest}>
      {icon}
      {children}
    </Link>
  );
}
