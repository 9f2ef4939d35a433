import { cn } from "#components/ui/primitives/cn";

const TONES: Record<string, string> = { get: "text-accent-text", post: "text-working", delete: "text-failed" };

export const MethodBadge = ({ method }: { method: string }) => (
  <span className={cn("w-11 shrink-0 font-medium font-mono text-12", TONES[method] ?? "text-attention")}>
    {method === "delete" ? "DEL" : method.toUpperCase()}
  </span>
);
