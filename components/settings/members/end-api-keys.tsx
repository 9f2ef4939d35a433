"use client";

import { Checkbox } from "#components/ui/primitives/checkbox";
import { formatNumber } from "#lib/contracts/counts/format-count";

type EndApiKeysProps = { own?: boolean; count: number; checked: boolean; onChange: (checked: boolean) => void };

/** Asks whether the member's API keys end too. `own`: the user is the member. */
export function EndApiKeys({ own = false, count, checked, onChange }: EndApiKeysProps) {
  const others = "Other API keys they may know keep working: revoke those under API keys.";
  if (count === 0) return own ? null : <p className="text-12 text-muted">They created no API keys. {others}</p>;
  return (
    <Checkbox checked={checked} onCheckedChange={onChange}>
      Revoke the {count === 1 ? "API key" : `${formatNumber(count)} API keys`} {own ? "you" : "they"} created
      <span className="block text-12 text-muted">
        Programs that use {count === 1 ? "it" : "them"} stop working.{own ? null : ` ${others}`}
      </span>
    </Checkbox>
  );
}
