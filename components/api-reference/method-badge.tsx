import { cn } from "#components/ui/primitives/cn";

const TONES: Record<string, string> = { get: "text-accent-text", post: "text-working", delete: "text-failed" };

export const MethodBadge = ({ method, className }: { method: string; className?: string }) => (
  <span className={cn("w-11 shrink-0 font-medium font-mono text-12", TONES[method] ?? "text-attention", className)}>
    {method === "delete" ? "DEL" : method.toUpperCase()}
  </span>
);
