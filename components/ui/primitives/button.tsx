import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cn } from "./cn.tsx";
import { PageLink } from "./page-link.tsx";

export const buttonLook = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors aria-pressed:bg-selected aria-pressed:text-text disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&>svg]:size-3.5 [&>svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-accent text-accent-contrast hover:not-disabled:bg-accent-hover",
        secondary: "border border-line-strong bg-raised text-text hover:not-disabled:bg-hover",
        ghost: "text-muted hover:not-disabled:bg-hover hover:not-disabled:text-text",
        danger: "bg-danger text-danger-contrast hover:not-disabled:bg-danger-hover",
      },
      size: { sm: "h-7 px-2.5 text-12", md: "h-8 px-3 text-13", lg: "h-10 px-4 text-14" },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

type ButtonLook = VariantProps<typeof buttonLook>;

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> &
  ButtonLook & {
    icon?: ReactNode;
    /** Keeps the button's width and ignores further clicks. */
    loading?: boolean;
    ref?: Ref<HTMLButtonElement>;
  };

/** Takes a verb and its object as its label ("Re-deliver 3 events"). At most one primary per page. */
export function Button({ variant, size, icon, loading = false, className, children, disabled, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={cn(buttonLook({ variant, size }), className)}
      disabled={disabled === true || loading}
      aria-busy={loading || undefined}
      {...rest}
    >
      {loading ? <LoaderCircle className="animate-spin" aria-hidden /> : icon}
      {children}
    </button>
  );
}

/** Stands at the end of a row, named with the row: "Revoke CI". */
export const RowButton = (props: ButtonProps) => <Button size="sm" variant="ghost" {...props} />;

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
