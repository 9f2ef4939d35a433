import { NothingYet } from "#components/ui/layout/empty-state";
import { LinkButton } from "#components/ui/primitives/link-button";
import { KIND_WORDS } from "#components/views/view-labels";
import type { ViewKind } from "#lib/contracts/views";

export function NoViewsYet({ kind, sandbox }: { kind: ViewKind; sandbox: boolean }) {
  const { icon: Icon, many, firstBy } = KIND_WORDS[kind];
  return (
    <NothingYet
      icon={<Icon aria-hidden />}
      title={`No ${many} yet`}
      actions={
        <>
          {firstBy === null ? (
            <LinkButton href="/settings/sources" variant="primary">
              View sources
            </LinkButton>
          ) : sandbox ? (
            <LinkButton href="/sandbox" variant="primary">
              Run a scenario in the sandbox
            </LinkButton>
          ) : null}
          <LinkButton href="/events">View events</LinkButton>
        </>
      }
    >
      {firstBy === null ? (
        "A source of another sender creates none until you set which records its events become: choose Records on the source."
      ) : (
        <>
          The first <code className="text-12">{firstBy}</code> event creates one.
        </>
      )}
    </NothingYet>
  );
}
