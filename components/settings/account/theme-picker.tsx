"use client";

import { useTheme } from "next-themes";
import { useSyncExternalStore } from "react";
import { THEMES } from "#components/shell/themes";
import { cn } from "#components/ui/primitives/cn";

const never = () => () => {};

export function ThemePicker() {
  const { theme, setTheme } = useTheme();
  // The server doesn't know the choice, so nothing is marked until the page is hydrated.
  const known = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, label, icon }) => (
        <label
          key={value}
          className={cn(
            "flex h-9 items-center gap-2 rounded-md border border-line-strong px-3 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus [&>svg]:size-4",
            known && theme === value && "border-accent bg-selected",
          )}
        >
          <input
            type="radio"
            name="theme"
            value={value}
            checked={known && theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
          />
          {icon}
          {label}
        </label>
      ))}
    </fieldset>
  );
}
