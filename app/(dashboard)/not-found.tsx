import { FileQuestion } from "lucide-react";
import { NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { PageBody } from "#components/ui/page-body";

/** The thing that the address names is not in this workspace. */
export default function DashboardNotFound() {
  return (
    <PageBody>
      <h1 className="sr-only">Not found</h1>
      <NothingYet
        icon={<FileQuestion aria-hidden />}
        title="There is nothing at this address"
        actions={<LinkButton href="/">Go to the overview</LinkButton>}
      >
        The id may be mistyped, belong to another workspace, or its events have not arrived yet.
      </NothingYet>
    </PageBody>
  );
}
