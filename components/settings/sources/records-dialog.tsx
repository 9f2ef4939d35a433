"use client";

import { Shapes } from "lucide-react";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import type { Source } from "#lib/contracts/sources/sources";
import { SourceDialog } from "./source-dialog.tsx";

const RecordsForm = lazyComponent(() => import("./records-form.tsx").then((module) => module.RecordsForm));

export const RecordsDialog = ({ source }: { source: Source }) => (
  <SourceDialog
    source={source}
    title={`Records of ${source.name}`}
    icon={<Shapes aria-hidden />}
    action="Records"
    saved={["Saved. Records are being rebuilt"]}
    form={(props) => <RecordsForm record={source.record} {...props} />}
  />
);
