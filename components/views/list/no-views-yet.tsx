import { NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { KIND_WORDS } from "#components/views/view-words";
import type { ViewKind } from "#lib/contracts/views";

/** There is none of this kind: which event brings the first and, where the sandbox is on, where to tell a story that does. */
export function NoViewsYet({ kind, sandbox }: { kind: ViewKind; sandbox: boolean }) {
  const { icon: Icon, many, firstBy } = KIND_WORDS[kind];
  return (
    <NothingYet
      icon={<Icon aria-hidden />}
      title={`No ${many} yet`}
      actions={
        <>
          {sandbox ? (
            <LinkButton href="/sandbox" variant="primary">
              Tell a story in the sandbox
            </LinkButton>
          ) : null}
          <LinkButton href="/events">Look at the events</LinkButton>
        </>
      }
    >
      The first one comes with the event <code className="text-12">{firstBy}</code>. It appears here as soon as that event is applied.
    </NothingYet>
  );
}
