import { readdirSync } from "node:fs";
import path from "node:path";
import type { SourceFile } from "./source-file.ts";

/** A link to a decision: its text and the number of its target. */
const LINK = /\[([^[\]]*)\]\([^)\s]*?(?<=[/(])(\d{4})-[a-z0-9-]+\.md(?:#[^)\s]*)?\)/g;
/** A number in a link's text: `45` alone, or `decision 45`. */
const NUMBER = /^(?:decision )?(\d+)$/i;
/** A mention by path, as `docs/decisions/0045`, with or without the rest of the name. */
const PATH = /\bdecisions\/(\d{4})(-[a-z0-9-]+)?/g;
/** A mention in words; a comment may break between the two. */
const WORDS = /\bdecisions?\s+(?:(?:\*|\/\/)\s*)?(\d+)\b/gi;

/** The rule's own examples. */
const EXEMPT = /^tools\/rules\/decisions\.ts$|^tests\/unit\/tools\/documentation\.test\.ts$/;

/** The files of docs/decisions, without the list. */
export const decisionFiles = (root: string): string[] =>
  readdirSync(path.join(root, "docs/decisions")).filter((name) => /^\d{4}-.*\.md$/.test(name));

/**
 * Returns what names a decision that is not there, and links whose text names another number than their target, in words.
 *
 * @param files documents and sources
 * @param decisions the files that there are
 */
export function findDeadDecisions(files: SourceFile[], decisions: string[]): string[] {
  const known = new Set(decisions.map((name) => Number(name.slice(0, 4))));
  const names = new Set(decisions.map((name) => name.replace(/\.md$/, "")));
  const isThere = (number: string, rest = "") => known.has(Number(number)) && (rest === "" || names.has(number + rest));
  return files
    .filter(({ name }) => !EXEMPT.test(name))
    .flatMap(({ name, text }) => {
      const at = (index: number) => `${name}:${text.slice(0, index).split("\n").length}`;
      const dead = [...text.matchAll(PATH), ...text.matchAll(WORDS)]
        .filter(([, number = "", rest]) => !isThere(number, rest))
        .map(
          ({ index, 0: mention }) =>
            `${at(index)} names "${mention}", which is not there. docs/decisions/README.md says where its reason is.`,
        );
      const crossed = [...text.matchAll(LINK)].flatMap(({ index, 1: words = "", 2: target }) => {
        const said = NUMBER.exec(words)?.[1];
        return said !== undefined && Number(said) !== Number(target)
          ? [`${at(index)} says "${words}" and leads to decision ${Number(target)}.`]
          : [];
      });
      return [...dead, ...crossed];
    });
}
