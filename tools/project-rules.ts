import { auditedChanges, changesThroughFlows, environment, prismaCalls, sql, unboundedBodies } from "./rules/access.ts";
import { schemasStayOut } from "./rules/browser.ts";
import { doubledComments, repeatedNames } from "./rules/comments.ts";
import { fragments, thinFolders } from "./rules/fragments.ts";
import { oldNames } from "./rules/names.ts";
import { fileLength } from "./rules/sizes.ts";
import type { Rule, SourceFile } from "./rules/source-file.ts";
import { tableOwnership } from "./rules/tables.ts";
import { timeHandedIn } from "./rules/time.ts";

const RULES: Rule[] = [
  fileLength,
  thinFolders,
  fragments,
  environment,
  sql,
  prismaCalls,
  unboundedBodies,
  changesThroughFlows,
  auditedChanges,
  tableOwnership,
  timeHandedIn,
  schemasStayOut,
  oldNames,
  doubledComments,
  repeatedNames,
];

/** All offences against the rules of the project that no linter knows, in words. */
export const findOffences = (files: SourceFile[]): string[] => RULES.flatMap((rule) => rule(files));
