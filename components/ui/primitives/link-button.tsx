import type { ReactNode } from "react";
import { type ButtonLook, buttonLook } from "./button.tsx";
import { cn } from "./cn.tsx";
import { PageLink } from "./page-link.tsx";

type LinkButtonProps = ButtonLook & {
  href: string;
  icon?: ReactNode;
  className?: string;
  target?: "_blank" | "_self";
  download?: boolean;
  "aria-label"?: string;
  children: ReactNode;
};

export function LinkButton({ href, variant, size, icon, className, download = false, children, ...rest }: LinkButtonProps) {
  return (
    <PageLink
      href={href}
      className={cn(buttonLook({ variant, size }), className)}
      {...(download && { download, prefetch: false })}
      {...rest}
    >
      {icon}
      {children}
    </PageLink>
  );
}
