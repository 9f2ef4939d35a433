import { FileQuestion } from "lucide-react";
import { NothingYet } from "#components/ui/layout/content-states";
import { PageBody } from "#components/ui/layout/page-header";
import { LinkButton } from "#components/ui/primitives/button";

export default function DashboardNotFound() {
  return (
    <PageBody>
      <h1 className="sr-only">Not found</h1>
      <NothingYet icon={<FileQuestion />} title="Nothing found at this URL" actions={<LinkButton href="/">Go to the overview</LinkButton>}>
        The ID may be mistyped or belong to another workspace, or its events haven't arrived yet.
      </NothingYet>
    </PageBody>
  );
}
