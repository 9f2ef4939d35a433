import { KeyRound, Server, User, UserX } from "lucide-react";
import { RelativeTime } from "#components/ui/time/relative-time";
import type { AuditEntry } from "#lib/contracts/auth/audit";
import { AuditChange } from "./audit-change.tsx";

const KINDS = {
  person: { icon: User, word: "a member" },
  key: { icon: KeyRound, word: "an API key" },
  anonymous: { icon: UserX, word: "someone whose identity was not verified" },
  system: { icon: Server, word: "Signalbox" },
} as const;

export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { actor, does, action, target, ip, at, before, after } = entry;
  const { icon: Icon, word } = KINDS[actor.kind];
  const summary = typeof after?.summary === "string" ? after.summary : null;
  const from = [ip, actor.credential].filter((part) => part !== null);
  return (
    <li data-row className="flex gap-3 py-2.5">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{summary ?? does}</span>
          {target === null ? null : (
            <span className="min-w-0 break-all text-muted">{target.name ?? <span className="font-mono text-12">{target.id}</span>}</span>
          )}
        </p>
        <p className="text-12 text-muted">
          <span className="sr-only">By {word}: </span>
          <span className="break-all">{actor.kind === "key" ? `key ${actor.name}` : actor.name}</span>
          {from.length === 0 ? null : <span className="break-all font-mono text-faint"> · {from.join(" · ")}</span>}
        </p>
        <AuditChange before={before} after={after} />
      </div>
      <div className="shrink-0 text-right">
        <p className="text-12 text-muted">
          <RelativeTime at={at} />
        </p>
        <p className="font-mono text-12 text-faint max-rail:hidden">{action}</p>
      </div>
    </li>
  );
}
