"use client";

import { type ReactNode, useState } from "react";
import { tellFailure, toast } from "#components/ui/feedback/toast";
import { withFallback } from "#components/ui/layout/content-states";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog, Dialog } from "#components/ui/overlay/dialog";
import { RowButton } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { browserName } from "#lib/client/format/caller-labels";
import { makeRecoveryCodes, removePasskey, removeTotp, useFactors, useFactorsChanged, useForgetDevice } from "#lib/client/queries/factors";
import type { OwnFactors, RememberedDevice } from "#lib/contracts/auth/account";
import { AddFactor } from "./add-factor.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

export function FactorsSection() {
  const { data, fallback } = withFallback(useFactors(), { what: "your second factors", rows: 2 });
  return (
    <Section title="Second factors" description="Required after your password. A passkey can also sign you in on its own.">
      {!data ? (
        fallback
      ) : data.available ? (
        <Factors factors={data} />
      ) : (
        <p className="text-muted">You sign in with single sign-on, so your identity provider manages your second factors.</p>
      )}
    </Section>
  );
}

const inDialog = (title: string, content: ReactNode, close: () => void) => (
  <Dialog open onOpenChange={close} title={title} closes={title === "Recovery codes" ? "button" : "anyhow"}>
    {content}
  </Dialog>
);

function Factors({ factors: { totpSince, passkeys, recoveryCodesLeft, rememberedDevices, required } }: { factors: OwnFactors }) {
  const changed = useFactorsChanged();
  const none = totpSince === null && passkeys.length === 0;
  const remove = (what: string, action: () => Promise<unknown>) => async () => {
    await action();
    changed();
    toast.success(`Removed ${what}`, { description: "You are signed out of every other browser." });
  };
  return (
    <div className="flex flex-col gap-4">
      {none ? (
        <p className="text-muted">
          {required ? "Your workspace requires a second factor." : "Not set up. Anyone who learns your password can sign in as you."}
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {totpSince === null ? null : (
            <FactorRow name="Authenticator app" since={totpSince} onRemove={remove("the authenticator app", removeTotp)} />
          )}
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <FactorRow
              key={id}
              name={`Passkey ${name}`}
              since={createdAt}
              used={lastUsedAt}
              onRemove={remove(name, () => removePasskey(id))}
            />
          ))}
          <CodesRow left={recoveryCodesLeft} onMade={changed} />
        </ul>
      )}
      <AddFactor offersTotp={totpSince === null} onDone={changed} frame={inDialog} />
      {rememberedDevices.length > 0 ? <RememberedDevices devices={rememberedDevices} /> : null}
    </div>
  );
}

type FactorRowProps = { name: string; since: string; used?: string | null; onRemove: () => Promise<void> };

function FactorRow({ name, since, used, onRemove }: FactorRowProps) {
  return (
    <li data-row className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-12 text-muted">
          added <RelativeTime at={since} />
          {used ? (
            <>
              {" "}
              · last used <RelativeTime at={used} />
            </>
          ) : null}
        </p>
      </div>
      <ConfirmDialog
        trigger={<RowButton aria-label={`Remove ${name}`}>Remove</RowButton>}
        title={`Remove ${name}?`}
        description="It no longer signs you in. You are signed out of every other browser, and remembered browsers are forgotten."
        confirmLabel={`Remove ${name}`}
        danger
        onConfirm={onRemove}
      />
    </li>
  );
}

type CodesRowProps = { left: number; onMade: () => void };

function CodesRow({ left, onMade }: CodesRowProps) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => {
    setCodes(null);
    onMade();
  };
  return (
    <li data-row className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">Recovery codes</p>
        <p className="text-12 text-muted">{left === 0 ? "None left. Create new codes." : `${left} of 10 left`}</p>
      </div>
      <ConfirmDialog
        trigger={<RowButton>Create new codes</RowButton>}
        title="Create new recovery codes?"
        description="Your current codes stop working."
        confirmLabel="Create new codes"
        onConfirm={async () => setCodes((await makeRecoveryCodes()).recoveryCodes)}
      />
      {codes === null ? null : inDialog("Recovery codes", <RecoveryCodes codes={codes} onDone={close} />, close)}
    </li>
  );
}

/** Lists the browsers that need no second factor. */
function RememberedDevices({ devices }: { devices: RememberedDevice[] }) {
  const forget = useForgetDevice();
  return (
    <div>
      <h3 className="mb-2 text-13 font-medium">Remembered browsers</h3>
      <ul className="divide-y divide-line border-y border-line">
        {devices.map(({ id, userAgent, lastUsedAt, rememberedUntil }) => (
          <li key={id} data-row className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{browserName(userAgent)}</p>
              <p className="text-12 text-muted">
                last used <RelativeTime at={lastUsedAt} /> · second factor asked again <RelativeTime at={rememberedUntil} ahead />
              </p>
            </div>
            <RowButton
              aria-label={`Forget ${browserName(userAgent)}`}
              onClick={() => tellFailure(forget.mutateAsync(id), "Couldn't forget the browser")}
            >
              Forget
            </RowButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
