import { Search } from "lucide-react";
import { createContext, type InputHTMLAttributes, type ReactNode, type Ref, useContext } from "react";
import { cn } from "./cn.tsx";

export const controlLook =
  "w-full rounded-md border border-line-control/60 bg-raised px-2.5 text-13 text-text transition-colors placeholder:text-faint hover:border-line-control focus-visible:border-focus focus-visible:outline-1 focus-visible:outline-offset-0 disabled:opacity-55 aria-invalid:border-failed";

export const selectLook = cn(controlLook, "flex h-8 items-center gap-2 text-left data-[placeholder]:text-faint");

type InputProps = InputHTMLAttributes<HTMLInputElement> & { icon?: ReactNode; ref?: Ref<HTMLInputElement> };

/** Takes its label and hint from a Field; alone it needs an aria-label. */
export function Input({ icon, className, type = "text", ...rest }: InputProps) {
  const field = useFieldControl();
  const input = <input type={type} {...field} className={cn(controlLook, "h-8", icon !== undefined && "pl-8", className)} {...rest} />;
  if (icon === undefined) return input;
  return (
    <div className="relative w-full [&>svg]:pointer-events-none [&>svg]:absolute [&>svg]:top-2 [&>svg]:left-2.5 [&>svg]:size-4 [&>svg]:text-faint">
      {icon}
      {input}
    </div>
  );
}

export const SearchInput = ({ label, ...rest }: InputProps & { label: string }) => (
  <Input type="search" aria-label={label} placeholder={label} icon={<Search />} {...rest} />
);

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean };

export const FieldContext = createContext<FieldControl | null>(null);

export const labelIdOf = (controlId: string) => `${controlId}-label`;

export function useFieldControl(): { id?: string; "aria-describedby"?: string; "aria-invalid"?: true } {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    ...(field.describedBy === undefined ? {} : { "aria-describedby": field.describedBy }),
    ...(field.invalid ? { "aria-invalid": true as const } : {}),
  };
}
