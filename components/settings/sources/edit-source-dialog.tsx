"use client";

import { Pencil } from "lucide-react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import type { Source } from "#lib/contracts/sources/sources";
import { SourceDialog } from "./source-dialog.tsx";

const EditSourceForm = lazyComponent(() => import("./edit-source-form.tsx").then((module) => module.EditSourceForm));

export const EditSourceDialog = ({ source }: { source: Source }) => (
  <SourceDialog
    source={source}
    title={`Edit ${source.name}`}
    icon={<Pencil aria-hidden />}
    action="Edit"
    saved={[`Saved ${source.name}`, { description: "Requests are verified and read this way from now on." }]}
    form={(props) => <EditSourceForm source={source} {...props} />}
  />
);
