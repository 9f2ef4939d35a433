import { type ClassValue, clsx } from "clsx";
import { createTailwindMerge } from "tailwind-merge";

const any = () => true;

/** `w` covers `w-8`, `w-full`, `w-[12rem]` and so on. */
const each = (...names: string[]) => Object.fromEntries(names.map((name) => [name, [{ [name]: ["", any] }]]));

const side = (name: string) => [`${name}x`, `${name}y`, `${name}t`, `${name}r`, `${name}b`, `${name}l`];
const ends = (name: string) => ({ [`${name}x`]: [`${name}r`, `${name}l`], [`${name}y`]: [`${name}t`, `${name}b`], [name]: side(name) });
const edges = ["top", "right", "bottom", "left"];

/** Classes that set the same property, for tailwind-merge: only ours, a seventh of Tailwind's. A test compares them with the full set. */
const CLASS_GROUPS = {
  display: ["flex", "grid", "hidden", "block", "inline-block", "inline-flex", "inline", "table"],
  position: ["static", "relative", "absolute", "sticky", "fixed"],
  visibility: ["visible"],
  ...each("w", "h", "size", "min-w", "max-w", "min-h", "max-h", "basis", "grow", "shrink"),
  ...each("p", "m", ...side("p"), ...side("m"), "gap", "gap-x", "gap-y"),
  ...each("inset", ...edges, "z", "translate-x", "translate-y", "scale", "rotate"),
  ...each("items", "justify", "self", "align", "grid-cols", "col-span", "col-start", "row-start"),
  ...each("bg", "fill", "stroke", "opacity", "shadow", "rounded", "outline-offset", "divide-x", "divide-y"),
  ...each("cursor", "select", "pointer-events", "transition", "duration", "animate", "appearance", "whitespace", "caption"),
  ...each("overflow", "overflow-x", "overflow-y", "line-clamp", "leading", "underline-offset", "border-spacing", "decoration"),
  "flex-direction": [{ flex: ["row", "col"] }],
  "flex-wrap": [{ flex: ["wrap", "nowrap"] }],
  "flex-share": [{ flex: [any] }],
  "font-weight": [{ font: ["normal", "medium", "semibold"] }],
  "font-family": [{ font: ["mono", "sans"] }],
  "text-size": [{ text: ["12", "13", "14", "16", "20", "28"] }],
  "text-side": [{ text: ["left", "center", "right"] }],
  "text-wrap": [{ text: ["balance", "pretty"] }],
  "text-color": [{ text: [any] }],
  cut: ["truncate"],
  break: [{ break: ["all", "words"] }],
  case: ["capitalize", "uppercase"],
  numbers: ["tabular-nums"],
  lines: ["underline", "line-through"],
  "line-style": [{ decoration: ["dotted"] }],
  "border-w": [{ border: ["", "0", "2"] }],
  ...Object.fromEntries(["x", "y", "t", "r", "b", "l"].map((name) => [`border-${name}`, [{ [`border-${name}`]: ["", "0", "2"] }]])),
  "border-cells": [{ border: ["separate"] }],
  "border-color": [{ border: [any] }],
  "outline-w": [{ outline: ["1", "2"] }],
  "outline-style": [{ outline: ["none"] }],
  "outline-color": [{ outline: [any] }],
};

/** Groups that a class overrides in addition to its own: after `px-0`, an earlier `pl-3` has no effect. */
const CONFLICTS = {
  size: ["w", "h"],

  gap: ["gap-x", "gap-y"],
  overflow: ["overflow-x", "overflow-y"],
  inset: edges,
  "text-size": ["leading"],
  "line-clamp": ["display", "overflow"],
  "flex-share": ["basis", "grow", "shrink"],
  ...ends("p"),
  ...ends("m"),
  "border-x": ["border-r", "border-l"],
  "border-y": ["border-t", "border-b"],
  "border-w": side("border-"),
};

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: CONFLICTS,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [
    "*",
    "**",
    "after",
    "before",
    "backdrop",
    "details-content",
    "file",
    "first-letter",
    "first-line",
    "marker",
    "placeholder",
    "selection",
  ],
}));

/** Joins class names; of two that set the same property, the later wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
