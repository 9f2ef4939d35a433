import { readdirSync, readFileSync } from "node:fs";
import { extendTailwindMerge } from "tailwind-merge";
import { expect, test } from "vitest";
import { cn } from "#components/ui/primitives/cn";

/** All that Tailwind knows; our sizes are numbers (`text-13`), which it would take for colours. */
const whole = extendTailwindMerge({
  cacheSize: 0,
  extend: { classGroups: { "font-size": [{ text: ["12", "13", "14", "16", "20", "28"] }], shadow: [{ shadow: ["raised"] }] } },
});

/** A class without its conditions: `w-8` of `max-rail:hover:w-8`. */
const bare = (name: string) => name.replace(/^(?:[a-z\d@/<>*-]+(?:\[[^\]]*\])?(?:\/\w+)?:|\[[^\]]*\]:)+/, "");

/** Every class of Tailwind's that stands in the pages. */
function classesInUse(): string[] {
  const names = new Set<string>();
  for (const folder of ["components", "app"])
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".tsx") || file.endsWith("/cn.tsx")) continue;
      for (const [, text = ""] of readFileSync(`${folder}/${file}`, "utf8").matchAll(/["`]([^"`\n]*)["`]/g))
        for (const name of text.split(/\s+/)) if (/^-?[a-z]/.test(bare(name))) names.add(bare(name));
    }
  return [...names].filter((name) => whole(`${name} ${name}`) === name);
}

// Every pair, with both libraries: seconds alone, and several times that beside others.
test("of two classes in use that say the same thing the later wins, as with all that Tailwind knows", { timeout: 120_000 }, () => {
  const names = classesInUse();
  expect(names.length).toBeGreaterThan(300);
  const wrong: string[] = [];
  for (const one of names)
    for (const other of names) {
      const pair = `${one} ${other}`;
      if (one !== other && cn(pair) !== whole(pair)) wrong.push(`${pair}: ${cn(pair)} instead of ${whole(pair)}`);
    }
  expect(wrong).toEqual([]);
});

test("conditions and importance keep classes apart", () => {
  expect(cn("px-2 first:pl-3", "px-0")).toBe("first:pl-3 px-0");
  expect(cn("hover:bg-hover", "hover:bg-selected")).toBe("hover:bg-selected");
  expect(cn("text-failed", "text-muted!")).toBe("text-failed text-muted!");
});
